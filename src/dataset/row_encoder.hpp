#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Finds ids that a row repeats. The hash table is small enough to stay in the cache, which
/// an array over the whole vocabulary would not.
class RepeatedIds {
 public:
  void start_row(std::size_t most_ids);
  /// Returns whether `id` is new in this row, and remembers it.
  bool is_new(std::uint32_t id) {
    const std::uint64_t entry = std::uint64_t{row_} << 32 | id;
    const std::size_t mask = table_.size() - 1;
    std::size_t at = id & mask;
    for (; table_[at] >> 32 == row_; at = (at + 1) & mask) {
      if (table_[at] == entry) return false;
    }
    table_[at] = entry;
    return true;
  }

 private:
  std::vector<std::uint64_t> table_;  // row << 32 | id; entries of other rows are empty
  std::uint32_t row_ = 0;
};

/// Turns rows into ids of a fixed vocabulary: adds the bias if the vocabulary has one, bins
/// or scales values, merges repeated features and drops unknown ones.
class RowEncoder {
 public:
  /// `features`, `binning` and `scaling` must outlive the encoder.
  explicit RowEncoder(NameIndexView features, const Binning* binning = nullptr,
                      const Scaling* scaling = nullptr);
  /// The row is valid until the next call. It has values only if one of them is not 1.
  RowView encode(const Row& row) {
    return encode(row, [](std::span<const std::uint32_t>) {});
  }
  /// The same; calls found(ids) as soon as the ids are known, with kNone for unknown ones.
  template <class Found>
  RowView encode(const Row& row, Found found) {
    features_.find_all(row.features, found_);
    found(std::span<const std::uint32_t>(found_));
    return join(row);
  }
  std::size_t unseen() const { return unseen_; }  ///< number of features dropped so far

 private:
  RowView join(const Row& row);
  RowView join_plain();
  void scale();
  void add(std::uint32_t id, float value, bool has_values);

  NameIndexView features_;
  const Binning* binning_;
  const Scaling* scaling_;
  std::uint32_t bias_;
  RepeatedIds repeated_;
  std::vector<std::uint32_t> found_;  // the id of each feature of the row, or kNone
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
  std::size_t unseen_ = 0;
  bool plain_ = true;  // every value of the current row is 1
};

}  // namespace megadapt
