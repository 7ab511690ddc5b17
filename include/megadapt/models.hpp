#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

class SectionReader;
class SectionWriter;

/// What training leaves behind: p(label | row), for rows of any domain.
class Predictor {
 public:
  virtual ~Predictor() = default;
  /// Names the class in a model file: "maxent", "mixture", ...
  virtual std::string_view kind() const = 0;
  virtual std::uint32_t num_labels() const = 0;
  /// Writes p(label | row) for a row of `domain`; the numbers sum to 1. Features with an id
  /// of num_features() or more have no weight.
  virtual void predict(RowView row, std::uint32_t domain,
                       std::span<double> probability) const = 0;
  /// P(general | row) where the model has a gate.
  virtual std::optional<double> general(RowView /*row*/, std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// Writes the parameters as sections whose names begin with `prefix`.
  virtual void save(SectionWriter& out, const std::string& prefix) const = 0;
};

/// Labels are padded to this many numbers per feature, so that a feature's weights are
/// whole vector registers: 2 for two labels, else the next multiple of 4.
constexpr std::uint32_t label_stride(std::uint32_t num_labels) {
  return num_labels <= 2 ? 2 : (num_labels + 3) / 4 * 4;
}

/// p(y | x) = exp(lambda_y . x) / Z (D&M06 §3.1). Weights are float: what is saved is what
/// predicts.
class MaxentPredictor final : public Predictor {
 public:
  /// `weights` is [F][Y] in double and is rounded to float.
  MaxentPredictor(std::uint32_t num_labels, std::span<const double> weights);
  /// Over the sections of a mapped file, which must outlive the predictor.
  MaxentPredictor(const SectionReader& in, const std::string& prefix);
  /// A copy would look at the original's weights.
  MaxentPredictor(MaxentPredictor&&) = default;

  std::string_view kind() const override { return "maxent"; }
  std::uint32_t num_labels() const override { return num_labels_; }
  void predict(RowView row, std::uint32_t domain,
               std::span<double> probability) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

  std::uint32_t num_features() const {
    return static_cast<std::uint32_t>(weights_.size() / label_stride(num_labels_));
  }
  /// lambda of one feature and label.
  float weight(std::uint32_t feature, std::uint32_t label) const {
    return weights_[std::size_t{feature} * label_stride(num_labels_) + label];
  }

 private:
  std::uint32_t num_labels_;
  std::vector<float> owned_;
  std::span<const float> weights_;  // [F][label_stride(Y)], padding is 0
};

}  // namespace megadapt
