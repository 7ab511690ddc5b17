#include <numeric>

#include "results/reliability.hpp"

namespace megadapt {

TestedRows tested_rows(const Dataset& train, std::uint32_t target, const Dataset* test,
                       const CompareOptions& options) {
  TestedRows tested{
      .data = test ? *test : train, .rows = {}, .splits = {}, .folds = test == nullptr};
  if (test) {
    tested.splits.emplace_back();
    tested.splits[0].held_out.resize(test->num_examples());
    std::iota(tested.splits[0].held_out.begin(), tested.splits[0].held_out.end(), 0);
  } else {
    tested.splits = target_folds(train, target, options.folds, options.tuning.base.seed);
  }
  for (const Split& split : tested.splits) {
    tested.rows.insert(tested.rows.end(), split.held_out.begin(), split.held_out.end());
  }
  return tested;
}

}  // namespace megadapt
