#pragma once

#include <memory>

#include "megadapt/models.hpp"

namespace megadapt {

/// A predictor that others use as well: lets a combination borrow its members.
class SharedPredictor final : public Predictor {
 public:
  explicit SharedPredictor(std::shared_ptr<const Predictor> shared)
      : shared_(std::move(shared)) {}

  std::string_view kind() const override { return shared_->kind(); }
  std::uint32_t num_labels() const override { return shared_->num_labels(); }
  std::uint32_t num_features() const override { return shared_->num_features(); }
  std::uint32_t num_domains() const override { return shared_->num_domains(); }
  void predict(RowView row, std::uint32_t domain,
               std::span<double> probability) const override {
    shared_->predict(row, domain, probability);
  }
  std::optional<double> general(RowView row, std::uint32_t domain) const override {
    return shared_->general(row, domain);
  }
  std::optional<double> general_share(std::uint32_t domain) const override {
    return shared_->general_share(domain);
  }
  void save(SectionWriter& out, const std::string& prefix) const override {
    shared_->save(out, prefix);
  }

 private:
  std::shared_ptr<const Predictor> shared_;
};

}  // namespace megadapt
