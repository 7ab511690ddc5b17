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

/// The width of a terminal that every table fits.
inline constexpr std::size_t kTableWidth = 80;

/// Longer names of labels and domains are cut where a line would be too wide.
inline constexpr std::size_t kLongestName = 30;

/// Makes columns as wide as their widest cell, `gap` spaces apart; the first is left-aligned,
/// the others right. In a table wider than a terminal long cells are cut; if that is not
/// enough, its columns are shown in blocks, each with the first column.
std::string text_table(std::vector<std::vector<std::string>> rows, std::size_t gap = 2);

/// The first `width` characters of a text; a longer one ends in "...".
std::string cut(std::string_view text, std::size_t width);

/// Breaks a text between words so that its lines fit a terminal; lines after the first begin
/// with `indent` spaces. Spaces at its start stay.
std::string wrapped(const std::string& text, std::size_t indent = 0);

/// Returns `head` with `text` to the right of it; further lines of `text` stand below its
/// first.
std::string beside(const std::string& head, const std::string& text);

/// 0.7968 -> "79.68".
std::string percent(double share);

}  // namespace megadapt::cli
