#define XXH_INLINE_ALL
#include "mega/fit_memo.hpp"

#include <xxhash.h>

#include <algorithm>

namespace megadapt {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20;

class Digest {
 public:
  Digest() { XXH3_128bits_reset(&state_); }
  template <class Values>
  void add(const Values& values) {
    const std::uint64_t size = values.size();
    XXH3_128bits_update(&state_, &size, sizeof size);
    XXH3_128bits_update(&state_, values.data(), size * sizeof(values[0]));
  }
  FitMemo::Key get() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return {hash.low64, hash.high64};
  }

 private:
  XXH3_state_t state_;
};

}  // namespace

FitMemo::Key FitMemo::key_of(const Dataset& data) {
  Digest digest;
  for (std::size_t n = 0; n < data.rows.size(); ++n) {
    const RowView row = data.rows[n];
    digest.add(row.features);
    digest.add(row.values);
  }
  digest.add(data.label);
  digest.add(data.domain);
  digest.add(data.soft.row);
  digest.add(data.soft.begin);
  digest.add(data.soft.shares);
  return digest.get();
}

FitMemo::Key FitMemo::key_of(const Key& data, std::string_view name,
                             std::span<const double> row_weight,
                             const MaxentOptions& options) {
  Digest digest;
  digest.add(data);
  digest.add(name);
  digest.add(row_weight);
  digest.add(options.prior.mean);
  digest.add(options.prior.factor);
  digest.add(options.start);
  digest.add(std::array{options.prior.variance, options.tolerance, options.min_gain});
  digest.add(std::array{options.max_passes, static_cast<int>(options.optimizer),
                        static_cast<int>(options.precision)});
  return digest.get();
}

const std::vector<double>* FitMemo::find(const Key& key) const {
  const auto known =
      std::ranges::find(fits_, key, [](const auto& fit) { return fit.first; });
  return known == fits_.end() ? nullptr : &known->second;
}

void FitMemo::keep(const Key& key, const std::vector<double>& weights) {
  const std::size_t size = weights.size() * sizeof(double);
  if (size > kMostBytes || find(key)) return;
  for (; bytes_ + size > kMostBytes; fits_.pop_front()) {
    bytes_ -= fits_.front().second.size() * sizeof(double);
  }
  bytes_ += size;
  fits_.emplace_back(key, weights);
}

}  // namespace megadapt
