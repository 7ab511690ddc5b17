#pragma once

#include <optional>
#include <string>

#include "mega/fit_mixture.hpp"

namespace megadapt {

/// Where the state of a training is kept. Rank 0 alone writes and reads the file, which
/// holds the rows of all ranks in the order of the input: any number of ranks may go on.
struct Checkpoint {
  std::string path;
  std::string training;  ///< the options that two trainings must share, as text
  const Dataset& data;
  bool with_rows;  ///< whether the next round needs to know what rows were fitted to
  Communicator& ranks;

  /// Writes the state, whole or not at all.
  void save(const MixtureState& state) const;
  /// The state in the file; nothing when there is none. Throws UsageError when it belongs
  /// to another training, ModelFileError when it is damaged.
  std::optional<MixtureState> load() const;
};

}  // namespace megadapt
