#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dataset/share_files.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Rows that lie together in a file and were read by one rank.
struct ReadPart {
  std::uint32_t file = 0;  ///< its place among the files
  std::uint32_t part = 0;  ///< within the file: the stripe, or the rank of a byte range
  std::uint64_t rows = 0;
  // The sizes of the vocabularies before it.
  std::uint32_t features = 0;
  std::uint32_t labels = 0;
  std::uint32_t domains = 0;
};

/// Makes what a rank read a share of what all ranks read: over the vocabularies of all,
/// with `runs` and complete `sources`. `parts` ascend.
void unite(Dataset& data, std::span<const ReadPart> parts,
           std::span<const FileShare> shares, Communicator& ranks);

/// Where names were first seen: those from id `first` on, up to the next run's, in the part
/// of the input that comes at `place`. Places ascend, and one rank alone reads each part
/// but 0, which stands for what every rank adds before it reads.
struct NameRun {
  std::uint64_t place = 0;
  std::uint32_t first = 0;
};

/// The names of all ranks, each once, in the order in which one rank that reads everything
/// would first see them, whoever reads which part. The same on every rank.
NameIndex merge_names(const NameIndex& own, const std::vector<NameRun>& runs,
                      Communicator& ranks);

}  // namespace megadapt
