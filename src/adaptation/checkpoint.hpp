#pragma once

#include <optional>
#include <string>

#include "megadapt/training.hpp"

namespace megadapt {

/// Writes the state of training to `path`, whole or not at all. `fingerprint` says of which
/// training: data and options.
void save_checkpoint(const MixtureState& state, const std::string& fingerprint,
                     const std::string& path);

/// The state in `path`; nothing when there is no such file. Throws UsageError when it
/// belongs to another training, ModelFileError when it is damaged.
std::optional<MixtureState> load_checkpoint(const std::string& fingerprint,
                                            const std::string& path);

}  // namespace megadapt
