#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// Writes {"id","label","probabilities","general"}, the JSON of `predict --json` and of the
/// server, without building a document: it is written once per row.
class PredictionJson {
 public:
  explicit PredictionJson(const std::vector<std::string>& labels);
  /// Appends one object to `out`; `label` is the predicted one, `id` may be empty.
  void append(std::size_t label, std::span<const double> probability,
              std::optional<double> general, std::string_view id, std::string& out) const;

 private:
  std::vector<std::string> quoted_;  // [Y]
};

}  // namespace megadapt
