#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt::testing_support {

struct RandomShape {
  std::size_t rows = 40;
  std::uint32_t features = 12;
  std::uint32_t labels = 3;
  std::uint32_t domains = 1;
  double density = 0.3;
  bool values = false;   ///< real values instead of 1
  bool weights = false;  ///< row weights other than 1
  bool bias = true;
};

/// A data set of random rows with random labels that depend on the features.
inline Dataset random_data(const RandomShape& shape, std::uint64_t seed) {
  Random random(seed);
  Dataset data;
  RowBuilder rows(data);
  if (shape.bias) data.own_schema().features.add("");
  for (std::uint32_t f = 0; f < shape.features; ++f)
    data.own_schema().features.add(fmt::format("f{}", f));
  for (std::uint32_t y = 0; y < shape.labels; ++y)
    data.own_schema().labels.add(fmt::format("y{}", y));
  for (std::uint32_t d = 0; d < shape.domains; ++d)
    data.own_schema().domains.add(fmt::format("d{}", d));
  for (std::size_t n = 0; n < shape.rows; ++n) {
    std::uint32_t hint = random.below(shape.labels);
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      const bool is_bias = shape.bias && f == 0;
      const double p =
          f % shape.labels == hint ? std::min(1.0, 2 * shape.density) : shape.density;
      if (!is_bias && random.uniform() >= p) continue;
      rows.add(f, shape.values && !is_bias ? static_cast<float>(random.uniform() * 4 - 2)
                                           : 1.0f);
    }
    RowFacts facts{.domain = static_cast<std::uint32_t>(n) % shape.domains};
    facts.label = random.uniform() < 0.8 ? hint : random.below(shape.labels);
    if (shape.weights) facts.weight = static_cast<float>(0.1 + 2 * random.uniform());
    rows.end(facts);
  }
  return data;
}

inline std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.num_examples());
  for (std::size_t n = 0; n < rows.size(); ++n) rows[n] = n;
  return rows;
}

/// Appends a row with these features, each of value 1.
inline void add_row(Dataset& data, const std::vector<std::uint32_t>& features,
                    std::uint32_t label, std::uint32_t domain = 0, float weight = 1) {
  RowBuilder rows(data);
  rows.add(RowView{features, {}});
  rows.end({.label = label, .domain = domain, .weight = weight});
}

}  // namespace megadapt::testing_support
