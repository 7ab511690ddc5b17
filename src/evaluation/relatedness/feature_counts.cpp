#include "evaluation/relatedness/feature_counts.hpp"

#include <algorithm>
#include <cmath>

namespace megadapt {
namespace {

// Binary entropy in bits.
double coin_entropy(double p) { return -p * std::log2(p) - (1 - p) * std::log2(1 - p); }

double information(double a, double b) {
  return coin_entropy((a + b) / 2) - (coin_entropy(a) + coin_entropy(b)) / 2;
}

}  // namespace

FeatureCounts count_features(const Dataset& data) {
  FeatureCounts counts{
      std::vector(data.num_domains(), std::vector<double>(data.num_features())),
      std::vector<double>(data.num_domains())};
  const std::uint32_t bias = data.bias();
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const auto weight = static_cast<double>(data.weight[n]);
    const RowView row = data.rows[n];
    counts.rows[data.domain[n]] += weight;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::uint32_t f = row.features[i];
      const bool of_tag = data.is_tag_feature(f);
      if (f == bias || of_tag || (!row.values.empty() && !(row.values[i] > 0))) continue;
      counts.present[data.domain[n]][f] += weight;
    }
  }
  return counts;
}

std::vector<SeparatingFeature> separating_features(const Dataset& data,
                                                   const FeatureCounts& counts,
                                                   std::uint32_t a, std::uint32_t b,
                                                   std::size_t top) {
  std::vector<std::pair<double, std::uint32_t>> by_information;
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    const double in_a = counts.present[a][f];
    const double in_b = counts.present[b][f];
    if (!(in_a + in_b > 0)) continue;
    by_information.emplace_back(information((in_a + 0.5) / (counts.rows[a] + 1),
                                            (in_b + 0.5) / (counts.rows[b] + 1)),
                                f);
  }
  top = std::min(top, by_information.size());
  std::partial_sort(by_information.begin(),
                    by_information.begin() + static_cast<std::ptrdiff_t>(top),
                    by_information.end(), [](const auto& one, const auto& other) {
                      return one.first != other.first ? one.first > other.first
                                                      : one.second < other.second;
                    });
  std::vector<SeparatingFeature> features;
  for (std::size_t i = 0; i < top; ++i) {
    const std::uint32_t f = by_information[i].second;
    const auto share = [&](std::uint32_t domain) {
      return counts.rows[domain] > 0 ? counts.present[domain][f] / counts.rows[domain] : 0;
    };
    features.push_back({std::string(data.features().name(f)), by_information[i].first,
                        share(a), share(b)});
  }
  return features;
}

}  // namespace megadapt
