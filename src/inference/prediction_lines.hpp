#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  /// The same with another name for the label, and the probabilities of the labels `shown`
  /// in this order.
  void append_some(std::string_view label, std::span<const std::uint32_t> shown,
                   std::span<const double> probability, std::optional<double> general,
                   std::string_view id, std::string& out) const;

 private:
  void append_object(std::string_view quoted_label, std::span<const std::uint32_t> shown,
                     std::span<const double> probability, std::optional<double> general,
                     std::string_view id, std::string& out) const;

  std::vector<std::string> quoted_;  // [Y]
  std::vector<std::uint32_t> all_;   // 0 to Y - 1
};

/// What a line of `predict` holds after the label.
struct PredictionColumns {
  bool probabilities = false;
  bool general = false;
  bool id = false;       ///< the row's id, as the last column
  bool json = false;     ///< a JSON object with everything instead
  std::size_t top = 0;   ///< > 0: only this many of the most probable labels, best first
  double threshold = 0;  ///< the label of a less probable prediction is `otherwise`
  std::string otherwise = "?";
};

/// Writes predictions as lines of text or of JSON. Safe to use from many threads.
class PredictionLines {
 public:
  /// `labels` must outlive this object.
  PredictionLines(const std::vector<std::string>& labels, PredictionColumns columns)
      : labels_(labels), columns_(std::move(columns)), json_(labels) {}

  std::string header() const;
  /// Appends the line of one row to `out`; `id` may be empty.
  void append(std::size_t label, std::span<const double> probability,
              std::optional<double> general, std::string_view id, std::string& out) const;
  void show_ids() { columns_.id = true; }

 private:
  std::vector<std::uint32_t> shown_labels(std::span<const double> probability) const;
  void append_columns(std::span<const double> probability,
                      std::span<const std::uint32_t> shown, std::string& out) const;

  const std::vector<std::string>& labels_;
  PredictionColumns columns_;
  PredictionJson json_;
};

}  // namespace megadapt
