#include "evaluation/curves/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace megadapt {
namespace {

// Mean and standard deviation; the band is clipped to the range of the score.
Band band_of(const std::vector<CurveScores>& repeats, double CurveScores::*score,
             double largest) {
  const auto count = static_cast<double>(repeats.size());
  double total = 0, squares = 0;
  for (const CurveScores& scores : repeats) total += scores.*score;
  const double mean = total / count;
  for (const CurveScores& scores : repeats) {
    squares += (scores.*score - mean) * (scores.*score - mean);
  }
  const double deviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
  return {mean, std::max(0.0, mean - deviation), std::min(largest, mean + deviation)};
}

}  // namespace

std::vector<Repeat> deal_repeats(const Dataset& train, std::uint32_t target,
                                 const Dataset* test, const CurveOptions& options) {
  if (options.repeats < 1) {
    throw UsageError(fmt::format("{} repeats are too few", options.repeats),
                     "use 1 repeat or more");
  }
  std::vector<Split> splits;
  if (!test) splits = target_folds(train, target, options.folds, options.tuning.base.seed);
  std::vector<Repeat> repeats(static_cast<std::size_t>(options.repeats));
  for (std::size_t r = 0; r < repeats.size(); ++r) {
    Repeat& repeat = repeats[r];
    if (test) {
      repeat.rows = train.rows_of(target);
      repeat.held_out.resize(test->num_examples());
      std::iota(repeat.held_out.begin(), repeat.held_out.end(), std::size_t{0});
    } else {
      repeat.pool = r % splits.size();
      repeat.held_out = splits[repeat.pool].held_out;
      for (const std::size_t n : splits[repeat.pool].train) {
        if (train.domain[n] == target) repeat.rows.push_back(n);
      }
    }
    if (repeat.rows.empty()) {
      throw UsageError(fmt::format("the target domain '{}' has no rows to train on",
                                   train.domains().name(target)),
                       "give it labelled rows");
    }
  }
  return repeats;
}

std::size_t count_tested(const std::vector<Repeat>& repeats, std::size_t rows) {
  std::vector<bool> judged(rows);
  for (const Repeat& repeat : repeats) {
    for (const std::size_t n : repeat.held_out) judged[n] = true;
  }
  return static_cast<std::size_t>(std::count(judged.begin(), judged.end(), true));
}

CurvePoint point_of(const std::vector<CurveScores>& repeats) {
  constexpr double kUnlimited = std::numeric_limits<double>::max();
  return {band_of(repeats, &CurveScores::examples, kUnlimited).mean,
          band_of(repeats, &CurveScores::accuracy, 1),
          band_of(repeats, &CurveScores::f1, 1),
          band_of(repeats, &CurveScores::log_loss, kUnlimited)};
}

const std::vector<std::string>& options_of_one_size() {
  static const std::vector<std::string> names = {"out-weight", "interpolation"};
  return names;
}

}  // namespace megadapt
