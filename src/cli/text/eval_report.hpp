#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "megadapt/evaluation.hpp"

namespace megadapt::cli {

/// {examples, accuracy, log_loss, f1, interval, labels, confusion, unseen_labels}.
nlohmann::ordered_json evaluation_json(const Evaluation& result);

/// The same as tables, shares in percent. A confusion of many labels is cut down to the
/// most frequent mistakes. With `span_f1` the F1 is that of spans, which the caller shows.
std::string evaluation_text(const Evaluation& result, bool span_f1 = false);

/// As evaluation_json(), and for sequences: sentences, sentence_accuracy, f1_interval,
/// spans, types, unknown.
nlohmann::ordered_json tagging_json(const TaggingEvaluation& result);
std::string tagging_text(const TaggingEvaluation& result);

}  // namespace megadapt::cli
