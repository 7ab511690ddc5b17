#pragma once

#include <map>
#include <string>

#include "megadapt/execution.hpp"

namespace megadapt {

/// Forwards every call and counts the sums over ranks, which a model of the cost of
/// distributed training needs.
class MeteredRanks final : public Communicator {
 public:
  explicit MeteredRanks(Communicator& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int size() const override { return ranks_.size(); }
  void sum(std::span<double> values) override {
    ++sums_[values.size_bytes()];
    ranks_.sum(values);
  }
  void sum(std::span<float> values) override {
    ++sums_[values.size_bytes()];
    ranks_.sum(values);
  }
  void send(int to, std::string_view message) override { ranks_.send(to, message); }
  std::string receive(int from) override { return ranks_.receive(from); }

  /// Number of sums by size in bytes.
  const std::map<std::size_t, std::size_t>& sums() const { return sums_; }

 private:
  Communicator& ranks_;
  std::map<std::size_t, std::size_t> sums_;
};

}  // namespace megadapt
