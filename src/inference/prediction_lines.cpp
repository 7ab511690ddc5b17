#include "inference/prediction_lines.hpp"

#include <fmt/format.h>

#include <iterator>

namespace megadapt {

std::string PredictionLines::header() const {
  std::string line = "label";
  if (columns_.probabilities) {
    for (const std::string& label : labels_) line += "\t" + label;
  }
  return line + (columns_.general ? "\tgeneral\n" : "\n");
}

void PredictionLines::append(std::size_t label, std::span<const double> probability,
                             std::optional<double> general, std::string_view id,
                             std::string& out) const {
  const auto end = std::back_inserter(out);
  if (columns_.json) {
    json_.append(label, probability, general, id, out);
  } else {
    out += labels_[label];
    if (columns_.probabilities) {
      for (const double p : probability) fmt::format_to(end, "\t{:.6g}", p);
    }
    if (columns_.general) fmt::format_to(end, "\t{:.6g}", general.value_or(0));
  }
  out += '\n';
}

}  // namespace megadapt
