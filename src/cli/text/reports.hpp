#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "megadapt/comparison.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// Returns the table of systems, the corrected p-values of all pairs, and the verdict.
std::string comparison_text(const Comparison& comparison);

/// {examples, accuracy, log_loss, f1, interval, labels, confusion, unseen_labels}.
nlohmann::ordered_json evaluation_json(const Evaluation& result);

/// The same as tables, shares in percent. A large confusion matrix is reduced to the most
/// frequent mistakes. With `span_f1` the F1 is that of spans, which the caller prints.
std::string evaluation_text(const Evaluation& result, const Reliability& reliability,
                            bool span_f1 = false);

/// Like evaluation_json(), and for sequences: sentences, sentence_accuracy, f1_interval,
/// spans, types, unknown.
nlohmann::ordered_json tagging_json(const TaggingEvaluation& result);
std::string tagging_text(const TaggingEvaluation& result, const Reliability& reliability);

/// {version, system, task, domains, labels, features, options, created_by, data, ...}.
nlohmann::ordered_json model_info_json(const Model& model);
std::string model_info_text(const Model& model);

/// Makes columns as wide as their widest cell, `gap` spaces apart; the first is left-aligned,
/// the others right.
std::string text_table(const std::vector<std::vector<std::string>>& rows, int gap = 2);

/// 0.7968 -> "79.68".
std::string percent(double share);

}  // namespace megadapt::cli
