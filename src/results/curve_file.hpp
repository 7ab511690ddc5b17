#pragma once

#include <optional>
#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// A learning curve that `curve --json` wrote.
struct StoredCurve {
  SystemCurve curve;  ///< labels are added in random order
  int repeats = 0;
  /// Set by `curve --strategy next`: how many labels `next` needs, as a share of the labels
  /// that the random order needs.
  std::optional<double> share = {};
};

/// Reads the curve of `system`, or of the best system if there is none. Throws InputError if
/// `curve --json` did not write the file.
StoredCurve read_curve(const std::string& path, const std::string& system);

}  // namespace megadapt
