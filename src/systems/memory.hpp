#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/systems.hpp"

namespace megadapt {

/// About how much memory one part of a training takes, in bytes.
struct MemoryPart {
  const char* name;
  double bytes = 0;
};

/// Estimates what a fit of `system` to `data` takes, the data included. docs/reliability.md
/// has the formula. Every rank has its own rows and estimates for itself.
std::vector<MemoryPart> training_memory(const Dataset& data, const System& system,
                                        const Options& options);

/// Throws ResourceError with the estimate by part if it is more than `limit` bytes on any
/// rank.
void refuse_memory(const Dataset& data, const System& system, const Options& options,
                   std::uint64_t limit, Communicator& ranks);

}  // namespace megadapt
