#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/prediction_json.hpp"

namespace megadapt {

/// What a line of `predict` holds behind the label.
struct PredictionColumns {
  bool probabilities = false;
  bool general = false;
  bool json = false;  ///< an object with everything instead
};

/// Writes predictions as lines of text or of JSON. Safe to use from many threads.
class PredictionLines {
 public:
  /// `labels` must outlive this.
  PredictionLines(const std::vector<std::string>& labels, PredictionColumns columns)
      : labels_(labels), columns_(columns), json_(labels) {}

  std::string header() const;
  /// Appends the line of one row to `out`; `id` may be empty.
  void append(std::size_t label, std::span<const double> probability,
              std::optional<double> general, std::string_view id, std::string& out) const;

 private:
  const std::vector<std::string>& labels_;
  PredictionColumns columns_;
  PredictionJson json_;
};

}  // namespace megadapt
