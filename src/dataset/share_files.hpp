#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Who reads a file.
struct FileShare {
  static constexpr std::int32_t kEverybody = -1;
  static constexpr std::int32_t kByStripes = -1;

  std::uint64_t size = 0;  ///< in bytes, as stored
  std::int32_t owner = 0;  ///< the rank that reads all of it; kEverybody: all ranks
  /// Of a file that all ranks read: its Format where each reads a range of its bytes, and
  /// kByStripes where only reading on from the start tells where rows are (compression,
  /// quotes that go on for lines, a header); each rank then keeps its stripes of rows.
  std::int32_t format = kByStripes;

  bool is_read_by(int rank) const { return owner == kEverybody || owner == rank; }
  bool is_striped() const { return owner == kEverybody && format == kByStripes; }
  bool is_cut() const { return owner == kEverybody && format != kByStripes; }
};

/// Rows of a striped file change their rank every so many rows.
inline constexpr std::uint64_t kRowsPerStripe = 64;

/// One share per file, the same on every rank. A domain's files are dealt out whole where
/// that gives no rank more than a tenth above its part; else the largest are cut, as many
/// as needed. UsageError for what cannot be shared: standard input and pipes.
std::vector<FileShare> share_files(const std::vector<DomainFile>& files,
                                   const ReadOptions& options, Communicator& ranks);

/// The bytes of a cut file whose lines `rank` of `size` ranks reads.
ByteRange range_of(const FileShare& share, int rank, int size);

}  // namespace megadapt
