#pragma once

#include <string>

#include "megadapt/corpus.hpp"
#include "megadapt/explanation.hpp"

namespace megadapt::cli {

/// What is known of the row that is explained.
struct ExplainedRow {
  std::size_t number = 0;      ///< from 1
  std::string_view id = {};    ///< may be empty
  std::string_view gold = {};  ///< the true label; empty when unlabelled
  std::string context = {};    ///< the row in short
  std::string entity = {};     ///< of a model of a task: the token or marked span
};

/// The explanation for a terminal: one block per component, signed terms and their sum.
std::string explanation_text(const Explanation& explanation, const ExplainedRow& row);

/// One tab separated line of the table of examples (D&M06 §7), and the line above it, of
/// rows that have an entity or not.
std::string example_line(const Explanation& explanation, const ExplainedRow& row);
std::string example_header(bool entities);

/// The row's features in one line of limited width.
std::string row_context(const Row& row);

}  // namespace megadapt::cli
