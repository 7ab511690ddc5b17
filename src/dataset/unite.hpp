#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dataset/reading/share_files.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Consecutive rows of a file that one rank read.
struct ReadPart {
  std::uint32_t file = 0;  ///< index of the file
  std::uint32_t part = 0;  ///< within the file: the stripe, or the rank of a byte range
  std::uint64_t rows = 0;
  // Sizes of the vocabularies before this part was read.
  std::uint32_t features = 0;
  std::uint32_t labels = 0;
  std::uint32_t domains = 0;
};

/// Turns what this rank has read into a share of what all ranks have read: merges the
/// vocabularies, and sets `runs` and `sources`. `parts` must ascend.
void unite(Dataset& data, std::span<const ReadPart> parts,
           std::span<const FileShare> shares, Communicator& ranks);

/// Says where names were first seen: those with ids from `first` up to the next run's
/// `first` come from the part of the input at `place`. Places ascend. Each part is read by
/// only one rank, except place 0, which stands for the names that every rank adds before it
/// reads.
struct NameRun {
  std::uint64_t place = 0;
  std::uint32_t first = 0;
};

/// Returns the names of all ranks, each once, in the order in which a single rank that
/// reads everything would first see them. The result is the same on every rank.
NameIndex merge_names(const NameIndex& own, const std::vector<NameRun>& runs,
                      Communicator& ranks);

}  // namespace megadapt
