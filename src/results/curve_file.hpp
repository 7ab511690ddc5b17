#pragma once

#include <optional>
#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// A learning curve that `curve --json` wrote.
struct StoredCurve {
  SystemCurve curve;  ///< of labels in random order
  int repeats = 0;
  /// Of `curve --strategy next`: the labels that `next` needs, as a share of the random
  /// order's.
  std::optional<double> share = {};
};

/// Reads the curve of `system`, or of the best system if it is not there. Throws InputError
/// for another file.
StoredCurve read_curve(const std::string& path, const std::string& system);

}  // namespace megadapt
