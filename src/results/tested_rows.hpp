#pragma once

#include "megadapt/comparison.hpp"

namespace megadapt {

/// The rows a comparison tested on, in the order of its predictions, and by which training
/// rows each was predicted.
struct TestedRows {
  const Dataset& data;  ///< the test set, or the training data where folds were used
  std::vector<std::size_t> rows;  ///< of `data`
  std::vector<Split> splits;      ///< held_out of all of them, one after another, is `rows`
  bool folds = false;  ///< else split 0 trains on everything and `train` is empty
};

TestedRows tested_rows(const Dataset& train, std::uint32_t target, const Dataset* test,
                       const CompareOptions& options);

}  // namespace megadapt
