#include "evaluation/curves/labels_needed.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"

namespace megadapt {
namespace {

constexpr int kResamples = 2000;

using Ids = std::vector<std::size_t>;

/// Returns the nearest sequence that never falls: averages neighbours that are out of order
/// (isotonic regression).
std::vector<double> rising(const std::vector<double>& values) {
  struct Block {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (const double value : values) {
    blocks.push_back({value, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> result;
  for (const Block& block : blocks) result.insert(result.end(), block.count, block.mean());
  return result;
}

LabelledSteps mean_of(const std::vector<LabelledSteps>& repeats, const Ids& chosen) {
  LabelledSteps mean{std::vector<double>(repeats[0].labels.size()),
                     std::vector<double>(repeats[0].labels.size())};
  for (const std::size_t r : chosen) {
    for (std::size_t s = 0; s < mean.labels.size(); ++s) {
      mean.labels[s] += repeats[r].labels[s] / static_cast<double>(chosen.size());
      mean.accuracy[s] += repeats[r].accuracy[s] / static_cast<double>(chosen.size());
    }
  }
  mean.accuracy = rising(mean.accuracy);
  return mean;
}

// Returns the number of labels at which a curve reaches `level`, which must not be above
// its last point.
double labels_at(const LabelledSteps& curve, double level) {
  std::size_t s = 0;
  while (s + 1 < curve.accuracy.size() && curve.accuracy[s] < level) ++s;
  if (s == 0) return curve.labels[0];
  const double before = curve.accuracy[s - 1], here = curve.accuracy[s];
  const double part = here > before ? std::min(1.0, (level - before) / (here - before)) : 1;
  return std::exp((1 - part) * std::log(curve.labels[s - 1]) +
                  part * std::log(curve.labels[s]));
}

double share_of(const LabelledSteps& first, const LabelledSteps& second) {
  if (second.accuracy.back() >= first.accuracy.back()) {
    return labels_at(second, first.accuracy.back()) / first.labels.back();
  }
  return second.labels.back() / labels_at(first, second.accuracy.back());
}

}  // namespace

LabelsNeeded labels_needed(const std::vector<LabelledSteps>& first,
                           const std::vector<LabelledSteps>& second, std::uint64_t seed) {
  const std::size_t R = first.size();
  Ids all(R);
  std::iota(all.begin(), all.end(), std::size_t{0});
  const LabelledSteps whole = mean_of(first, all);
  LabelsNeeded result{.accuracy = whole.accuracy.back(),
                      .share = share_of(whole, mean_of(second, all))};
  Random random(seed);
  std::vector<double> shares;
  for (int b = 0; b < kResamples; ++b) {
    for (std::size_t& r : all) r = random.below(static_cast<std::uint32_t>(R));
    shares.push_back(share_of(mean_of(first, all), mean_of(second, all)));
  }
  std::ranges::sort(shares);
  result.interval = {shares[kResamples / 40], shares[kResamples - kResamples / 40 - 1]};
  return result;
}

}  // namespace megadapt
