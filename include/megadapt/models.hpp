#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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
  virtual std::uint32_t num_features() const = 0;
  /// How many domains it tells apart; 0 when it predicts alike for all.
  virtual std::uint32_t num_domains() const { return 0; }
  /// Writes p(label | row) for a row of `domain`; the numbers sum to 1. Features with an id
  /// of num_features() or more have no weight.
  virtual void predict(RowView row, std::uint32_t domain,
                       std::span<double> probability) const = 0;
  /// The same for `base` joined with each of `extensions`, written as [E][Y]: what a tagger
  /// asks for all previous tags of a token. The features of an extension are not in `base`
  /// and have no part in a gate, so the gate is one number per token (D&M06 §3.3).
  virtual void predict_extended(RowView base, std::span<const RowView> extensions,
                                std::uint32_t domain, std::span<double> probability) const;
  /// Asks the memory for the first weights of these features, of a row that comes soon; ids
  /// past num_features() are passed over.
  virtual void prefetch(std::span<const std::uint32_t> /*features*/,
                        std::uint32_t /*domain*/) const {}
  /// P(general | row) where the model has a gate.
  virtual std::optional<double> general(RowView /*row*/, std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// pi: the share of a domain that is general, where the model has one.
  virtual std::optional<double> general_share(std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// Writes the parameters as sections whose names begin with `prefix`.
  virtual void save(SectionWriter& out, const std::string& prefix) const = 0;
};

}  // namespace megadapt
