#pragma once

#include "support/random_data.hpp"

namespace megadapt::testing_support {

/// The domains of planted_domains().
inline constexpr std::uint32_t kOut = 0, kIn = 1;

/// Two domains, 0 "out" with many rows and 1 "in" with few. Some features predict the same
/// label in both domains, some predict different labels, and some are noise.
inline Dataset planted_domains(std::size_t out_rows, std::size_t in_rows,
                               std::uint64_t seed) {
  constexpr std::uint32_t kShared = 10, kTwisted = 6, kNoise = 20;
  Random random(seed);
  Dataset data;
  data.own_schema().features.add("");
  for (std::uint32_t f = 0; f < kShared + kTwisted + kNoise; ++f) {
    data.own_schema().features.add(fmt::format("f{}", f));
  }
  for (const char* label : {"a", "b", "c"}) data.own_schema().labels.add(label);
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  for (std::size_t n = 0; n < out_rows + in_rows; ++n) {
    const std::uint32_t domain = n < out_rows ? 0 : 1;
    const std::uint32_t label = random.below(3);
    std::vector<std::uint32_t> features{0};
    for (std::uint32_t f = 0; f < kShared + kTwisted + kNoise; ++f) {
      const bool twisted = f >= kShared && f < kShared + kTwisted;
      const std::uint32_t meant = (f + (twisted ? domain : 0)) % 3;
      const double p = f >= kShared + kTwisted ? 0.2 : meant == label ? 0.5 : 0.15;
      if (random.uniform() < p) features.push_back(f + 1);
    }
    add_row(data, features, label, domain);
  }
  return data;
}

/// Accuracy and mean -log p(y | x) of a predictor on the rows of one domain.
struct Quality {
  double accuracy = 0;
  double log_loss = 0;
};

template <class Predictor>
Quality quality(const Predictor& predictor, const Dataset& data, std::uint32_t domain) {
  Quality result;
  std::vector<double> p(data.num_labels());
  const auto rows = data.rows_of(domain);
  for (const std::size_t n : rows) {
    predictor.predict(data.rows[n], domain, p);
    const auto best = std::max_element(p.begin(), p.end()) - p.begin();
    result.accuracy += static_cast<std::uint32_t>(best) == data.label[n];
    result.log_loss -= std::log(std::max(p[data.label[n]], 1e-15));
  }
  result.accuracy /= static_cast<double>(rows.size());
  result.log_loss /= static_cast<double>(rows.size());
  return result;
}

}  // namespace megadapt::testing_support
