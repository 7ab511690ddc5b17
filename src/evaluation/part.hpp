#pragma once

#include <string>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// One system on one split: tuned and trained on its training part, tested on the other.
struct Part {
  std::string left_out = {};  ///< why it could not run
  Tuned tuned = {};
  Predictions predictions = {};
  double seconds = 0;
};

}  // namespace megadapt
