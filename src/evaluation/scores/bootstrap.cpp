#include "evaluation/scores/bootstrap.hpp"

#include <algorithm>

#include "base/random.hpp"

namespace megadapt {
namespace {

// If every unit is one example, only the number of correct ones in a resample of N matters.
// It is Binomial(N, accuracy), so the N examples need not be drawn one by one.
double resample_examples(const std::vector<ResampledUnit>& units, std::uint64_t correct,
                         Random& random) {
  const auto size = static_cast<double>(units.size());
  const double accuracy = static_cast<double>(correct) / size;
  return static_cast<double>(random.binomial(units.size(), accuracy)) / size;
}

double resample_groups(const std::vector<ResampledUnit>& units, Random& random) {
  std::uint64_t examples = 0;
  std::uint64_t correct = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const ResampledUnit& unit =
        units[random.below(static_cast<std::uint32_t>(units.size()))];
    examples += unit.examples;
    correct += unit.correct;
  }
  return static_cast<double>(correct) / static_cast<double>(examples);
}

}  // namespace

std::array<double, 2> bootstrap_interval(const std::vector<ResampledUnit>& units,
                                         std::uint64_t seed) {
  const bool single =
      std::all_of(units.begin(), units.end(),
                  [](const ResampledUnit& unit) { return unit.examples == 1; });
  std::uint64_t correct = 0;
  for (const ResampledUnit& unit : units) correct += unit.correct;

  Random random(seed);
  std::vector<double> accuracy(kResamples);
  for (double& value : accuracy) {
    value =
        single ? resample_examples(units, correct, random) : resample_groups(units, random);
  }
  std::sort(accuracy.begin(), accuracy.end());
  return {accuracy[kResamples * 25 / 1000 - 1], accuracy[kResamples * 975 / 1000 - 1]};
}

}  // namespace megadapt
