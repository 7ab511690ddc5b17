#include "dataset/row_encoder.hpp"

#include <algorithm>
#include <bit>

namespace megadapt {

void RepeatedIds::start_row(std::size_t most_ids) {
  const std::size_t slots = std::bit_ceil(2 * most_ids);
  if (++row_ == 0 || table_.size() < slots) {  // 0: the counter has wrapped around
    table_.assign(std::max(table_.size(), slots), 0);
    row_ = 1;
  }
}

RowEncoder::RowEncoder(NameIndexView features, const Binning* binning,
                       const Scaling* scaling)
    : features_(features),
      binning_(binning && !binning->empty() ? binning : nullptr),
      scaling_(scaling && !scaling->empty() ? scaling : nullptr),
      bias_(features.find("")) {}

RowView RowEncoder::join(const Row& row) {
  repeated_.start_row(row.features.size() + 1);
  if (!row.has_values && !binning_ && !scaling_) return join_plain();
  ids_.clear();
  values_.clear();
  plain_ = true;
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const NamedFeature& feature = row.features[i];
    const std::uint32_t binned = binning_ ? binning_->features.find(feature.name) : kNone;
    if (binned == kNone) {
      add(found_[i], feature.value, row.has_values);
    } else {
      const std::uint32_t bin = binning_->bin(binned, feature.value);
      add(features_.find(binning_->bin_name(binned, bin)), 1, false);
    }
  }
  if (bias_ != kNone) add(bias_, 1, false);
  if (scaling_) scale();
  return {ids_, plain_ ? std::span<const float>() : std::span<const float>(values_)};
}

void RowEncoder::scale() {
  plain_ = true;
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    values_[i] = scaling_->apply(ids_[i], values_[i]);
    plain_ = plain_ && values_[i] == 1;
  }
}

// The fast path: most rows have neither values nor bins.
RowView RowEncoder::join_plain() {
  ids_.resize(found_.size() + 1);
  std::uint32_t* end = ids_.data();
  for (const std::uint32_t id : found_) {
    if (id == kNone) {
      ++unseen_;
    } else if (repeated_.is_new(id)) {
      *end++ = id;
    }
  }
  if (bias_ != kNone && repeated_.is_new(bias_)) *end++ = bias_;
  return {{ids_.data(), end}, {}};
}

void RowEncoder::add(std::uint32_t id, float value, bool has_values) {
  if (id == kNone) {
    ++unseen_;
    return;
  }
  if (repeated_.is_new(id)) {
    ids_.push_back(id);
    values_.push_back(value);
    plain_ = plain_ && value == 1;
  } else if (has_values) {
    values_[static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), id) -
                                     ids_.begin())] += value;
    plain_ = false;
  }
}

}  // namespace megadapt
