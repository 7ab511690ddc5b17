#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/options/common_options.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// How a model of a task is tested: the sentences or spans of one file.
struct TaggingTest {
  std::string input;
  std::string format;   ///< as given for this file, or empty
  std::string columns;  ///< likewise
  std::string as_domain;
  bool skip_bad = false;
};

/// Of a task whose rows are spans only `tokens` is filled: one row per span. `sha256`
/// becomes that of the file.
TaggingEvaluation evaluate_tagging(const Model& model, const TaggingTest& test,
                                   const CommonOptions& common,
                                   std::string* sha256 = nullptr);

/// As evaluation_json(), and for sequences: sentences, sentence_accuracy, f1_interval,
/// spans, types, unknown.
nlohmann::ordered_json tagging_json(const TaggingEvaluation& result);
std::string tagging_text(const TaggingEvaluation& result);

}  // namespace megadapt::cli
