#include "mega/gate_columns.hpp"

namespace megadapt {
namespace {

// Calls visit(g, n) for every gate feature g present in row n.
template <class Visit>
void for_each_present(const Dataset& data, std::span<const std::uint32_t> gate_id,
                      Visit visit) {
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::uint32_t g = gate_id[row.features[i]];
      if (g != kNone && (row.values.empty() || row.values[i] > 0)) visit(g, n);
    }
  }
}

}  // namespace

GateColumns::GateColumns(const Dataset& data, std::vector<std::uint32_t> features)
    : K_(data.num_domains()),
      features_(std::move(features)),
      begin_(features_.size() * K_ + 1),
      seen_(K_ + 1),
      unseen_(K_ + 1) {
  std::vector<std::uint32_t> gate_id(data.num_features(), kNone);
  for (std::uint32_t g = 0; g < features_.size(); ++g) gate_id[features_[g]] = g;

  for_each_present(data, gate_id, [&](std::size_t g, std::size_t n) {
    ++begin_[g * K_ + data.domain[n] + 1];
  });
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  row_.resize(begin_.back());
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for_each_present(data, gate_id, [&](std::size_t g, std::size_t n) {
    row_[next[g * K_ + data.domain[n]]++] = static_cast<std::uint32_t>(n);
  });

  for (std::uint32_t g = 0; g < features_.size(); ++g) {
    for (std::uint32_t d = 0; d < K_; ++d) {
      (rows(g, d).empty() ? unseen_ : seen_)[d].push_back(g);
    }
    (rows(g, kNone).empty() ? unseen_ : seen_)[K_].push_back(g);
  }
}

}  // namespace megadapt
