#include <algorithm>
#include <cmath>
#include <numeric>

#include "mega/gate_columns.hpp"

namespace megadapt {
namespace {

// Returns total * sum_d -p_d log p_d, with p_d = count[d] / total.
double entropy_mass(std::span<const double> count) {
  const double total = std::accumulate(count.begin(), count.end(), 0.0);
  double mass = 0;
  for (const double c : count) {
    if (c > 0) mass -= c * std::log(c / total);
  }
  return mass;
}

// Returns the number of rows of each domain that have each feature: [F][K].
std::vector<double> presence_counts(const Dataset& data) {
  const std::size_t K = data.num_domains();
  std::vector<double> count(std::size_t{data.num_features()} * K);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      if (row.values.empty() || row.values[i] > 0) {
        ++count[row.features[i] * K + data.domain[n]];
      }
    }
  }
  return count;
}

}  // namespace

std::vector<std::uint32_t> choose_gate_features(const Dataset& data, std::size_t count,
                                                const Execution& exec) {
  const std::size_t K = data.num_domains();
  std::vector<double> present = presence_counts(data);
  std::vector<double> rows(K);
  for (const std::uint32_t d : data.domain) ++rows[d];
  exec.ranks().sum(present);
  exec.ranks().sum(rows);

  const std::uint32_t bias = data.bias();
  std::vector<std::uint32_t> chosen;
  std::vector<double> left_uncertain(data.num_features());  // smaller: more informative
  std::vector<double> absent(K);
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    const std::span<const double> with(present.data() + f * K, K);
    const bool hidden = f == bias || data.is_tag_feature(f);
    if (hidden || std::accumulate(with.begin(), with.end(), 0.0) == 0) continue;
    chosen.push_back(f);
    if (count == 0) continue;
    for (std::size_t d = 0; d < K; ++d) absent[d] = rows[d] - with[d];
    left_uncertain[f] = entropy_mass(with) + entropy_mass(absent);
  }
  if (count > 0 && count < chosen.size()) {
    std::stable_sort(chosen.begin(), chosen.end(), [&](std::uint32_t a, std::uint32_t b) {
      return left_uncertain[a] < left_uncertain[b];
    });
    chosen.resize(count);
    std::sort(chosen.begin(), chosen.end());
  }
  return chosen;
}

}  // namespace megadapt
