#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// Applies a model to rows as they were read. One per slot of a RowPipeline.
class RowPredictor {
 public:
  /// `fallback` is the domain of rows that name none the model knows.
  RowPredictor(const Model& model, std::uint32_t fallback);

  std::span<const double> predict(const Row& row);
  /// P(general | row) of the row that was predicted last, where the model has a gate.
  std::optional<double> general() const {
    return model_.predictor->general(view_, domain_);
  }
  std::size_t unseen() const { return encoder_.unseen(); }

 private:
  std::uint32_t domain_of(std::string_view name) const;

  const Model& model_;
  std::uint32_t fallback_;
  RowEncoder encoder_;
  RowView view_;
  std::uint32_t domain_ = 0;
  std::vector<double> probability_;
};

/// The domain that --as-domain names, else the model's target.
std::uint32_t fallback_domain(const Model& model, const std::string& as_domain);

bool has_gate(const Model& model);

}  // namespace megadapt::cli
