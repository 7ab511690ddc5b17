#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Which ranks read a file, and how.
struct FileShare {
  static constexpr std::int32_t kEverybody = -1;
  static constexpr std::int32_t kByStripes = -1;

  std::uint64_t size = 0;  ///< in bytes, as stored
  std::int32_t owner = 0;  ///< the rank that reads all of it; kEverybody: all ranks
  /// For a file that all ranks read: its Format if each reads a range of its bytes.
  /// kByStripes if rows can only be found by reading from the start (compression, quotes
  /// that span lines, a header); then every rank reads all of it and keeps its stripes of
  /// rows.
  std::int32_t format = kByStripes;

  bool is_read_by(int rank) const { return owner == kEverybody || owner == rank; }
  bool is_striped() const { return owner == kEverybody && format == kByStripes; }
  bool is_cut() const { return owner == kEverybody && format != kByStripes; }
};

/// The number of rows in a stripe; stripes go to the ranks in turn.
inline constexpr std::uint64_t kRowsPerStripe = 64;

/// Returns one share per file, the same on every rank. A domain's files are dealt out whole
/// if that gives no rank more than 10% above its fair share; otherwise as many of the
/// largest as needed are cut. Throws UsageError for standard input and pipes.
std::vector<FileShare> share_files(const std::vector<DomainFile>& files,
                                   const ReadOptions& options, Communicator& ranks);

/// Returns the part of a cut file that `rank` of `size` ranks reads.
ByteRange range_of(const FileShare& share, int rank, int size);

}  // namespace megadapt
