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

}  // namespace megadapt::cli
