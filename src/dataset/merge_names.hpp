#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

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
