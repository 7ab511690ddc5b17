#include "inference/prediction_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace megadapt {

std::string PredictionLines::header() const {
  std::string line = "label";
  for (std::size_t k = 1; k <= std::min(columns_.top, labels_.size()); ++k) {
    line += fmt::format("\tlabel {}\tprobability {}", k, k);
  }
  if (columns_.probabilities) {
    for (const std::string& label : labels_) line += "\t" + label;
  }
  if (columns_.general) line += "\tgeneral";
  return line + (columns_.id ? "\tid\n" : "\n");
}

void PredictionLines::append(std::size_t label, std::span<const double> probability,
                             std::optional<double> general, std::string_view id,
                             std::string& out) const {
  const bool sure = !(probability[label] < columns_.threshold);
  const std::string& name = sure ? labels_[label] : columns_.otherwise;
  if (columns_.json && columns_.top == 0 && sure) {
    json_.append(label, probability, general, id, out);
  } else if (columns_.json) {
    json_.append_some(name, shown_labels(probability), probability, general, id, out);
  } else {
    out += name;
    append_columns(probability, shown_labels(probability), out);
    if (columns_.general) {
      fmt::format_to(std::back_inserter(out), "\t{:.6g}", general.value_or(0));
    }
    if (columns_.id) (out += '\t') += id;
  }
  out += '\n';
}

// Returns all labels, or the most probable ones; of equally probable ones the first.
std::vector<std::uint32_t> PredictionLines::shown_labels(
    std::span<const double> probability) const {
  if (columns_.top == 0 && !columns_.json) return {};
  std::vector<std::uint32_t> shown(labels_.size());
  std::iota(shown.begin(), shown.end(), 0);
  if (columns_.top == 0) return shown;
  const std::size_t kept = std::min(columns_.top, shown.size());
  std::ranges::partial_sort(
      shown, shown.begin() + static_cast<std::ptrdiff_t>(kept), [&](auto a, auto b) {
        return probability[a] != probability[b] ? probability[a] > probability[b] : a < b;
      });
  shown.resize(kept);
  return shown;
}

void PredictionLines::append_columns(std::span<const double> probability,
                                     std::span<const std::uint32_t> shown,
                                     std::string& out) const {
  const auto end = std::back_inserter(out);
  for (const std::uint32_t y : shown) {
    fmt::format_to(end, "\t{}\t{:.6g}", labels_[y], probability[y]);
  }
  if (!columns_.probabilities) return;
  for (const double p : probability) fmt::format_to(end, "\t{:.6g}", p);
}

}  // namespace megadapt
