#pragma once

#include <string>

#include "megadapt/classifier.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::cli {

/// The facts about the explained row.
struct ExplainedRow {
  std::size_t number = 0;      ///< from 1
  std::string_view id = {};    ///< may be empty
  std::string_view gold = {};  ///< the true label; empty when unlabelled
  std::string context = {};    ///< an excerpt of the row
  std::string entity = {};     ///< for task models, the token or marked span
};

/// The explanation for a terminal: one block per component, signed terms and their sum.
std::string explanation_text(const Explanation& explanation, const ExplainedRow& row);

/// One tab-separated line of the table of examples (D&M06 §7), and the table's header.
/// `entities` says whether rows have an entity.
std::string example_line(const Explanation& explanation, const ExplainedRow& row);
std::string example_header(bool entities);

/// The row's features in one line of limited width.
std::string row_context(const Row& row);

}  // namespace megadapt::cli
