#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// Writes {"id","label","probabilities","general"}, the JSON of `predict --json` and of the
/// server. It builds no document, because it runs once per row.
class PredictionJson {
 public:
  explicit PredictionJson(const std::vector<std::string>& labels);
  /// Appends one object to `out`; `label` is the predicted one, `id` may be empty.
  void append(std::size_t label, std::span<const double> probability,
              std::optional<double> general, std::string_view id, std::string& out) const;

 private:
  std::vector<std::string> quoted_;  // [Y]
};

/// What a line of `predict` holds after the label.
struct PredictionColumns {
  bool probabilities = false;
  bool general = false;
  bool json = false;  ///< a JSON object with everything instead
};

/// Writes predictions as lines of text or of JSON. Safe to use from many threads.
class PredictionLines {
 public:
  /// `labels` must outlive this object.
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
