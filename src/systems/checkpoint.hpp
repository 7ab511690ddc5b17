#pragma once

#include <optional>
#include <string>

#include "mega/fit_mixture.hpp"

namespace megadapt {

/// A file that holds the state of an unfinished training. Only rank 0 writes and reads it.
/// It holds all ranks' rows in input order, so any number of ranks may resume the training.
struct Checkpoint {
  std::string path;
  std::string training;  ///< text of the options that must match to resume
  int rounds;            ///< of the whole training
  const Dataset& data;
  bool with_rows;  ///< whether the next round needs the rows' fitted responsibilities
  Communicator& ranks;

  /// Writes the state atomically: on failure an older file stays as it was.
  void save(const MixtureState& state) const;
  /// Returns the state in the file, or nothing if there is no file. Throws UsageError if
  /// the file belongs to another training and ModelFileError if it is damaged.
  std::optional<MixtureState> load() const;
};

}  // namespace megadapt
