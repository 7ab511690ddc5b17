#pragma once

#include <fmt/format.h>

#include <vector>

#include "base/log_space.hpp"
#include "base/random.hpp"
#include "megadapt/training.hpp"

namespace megadapt::testing_support {

/// Two domains drawn from the model itself. Gate features are present with probability
/// `psi` or 1 - psi: even ones are frequent in general rows, odd ones in specific rows.
/// Label features are present in half of all rows; each belongs to one source and speaks
/// for one of two labels there. Noise features carry no information, but can be overfitted.
struct Planted {
  std::vector<double> general_share{0.7, 0.4};  // pi [K]
  std::vector<std::size_t> rows{3000, 3000};    // [K]
  std::uint32_t gate_features = 10;
  std::uint32_t label_features = 12;
  std::uint32_t noise_features = 0;
  double psi = 0.8;
  double noise = 0.1;   ///< probability that a noise feature is present
  double loudness = 3;  ///< log-odds that a label feature gives
  std::uint64_t seed = 1;

  std::uint32_t num_domains() const {
    return static_cast<std::uint32_t>(general_share.size());
  }
};

/// Returns the log-odds that each label feature gives for label 0, one vector per source;
/// the last one is the general source's.
inline std::vector<std::vector<double>> planted_log_odds(const Planted& planted) {
  const std::uint32_t sources = planted.num_domains() + 1;
  std::vector<std::vector<double>> u(sources);
  for (std::uint32_t s = 0; s < sources; ++s) {
    for (std::uint32_t f = 0; f < planted.label_features; ++f) {
      const double sign = f / sources % 2 == 0 ? 1 : -1;
      u[s].push_back(f % sources == s ? sign * planted.loudness : 0);
    }
  }
  return u;
}

/// Returns a sample. Different `draw`s of one `planted` share its parameters.
inline Dataset sample(const Planted& planted, std::uint64_t draw) {
  const auto u = planted_log_odds(planted);
  Random random(planted.seed * 1000003 + draw);
  Dataset data;
  data.own_schema().features.add("");
  for (std::uint32_t f = 0; f < planted.gate_features; ++f) {
    data.own_schema().features.add(fmt::format("gate{}", f));
  }
  for (std::uint32_t f = 0; f < planted.label_features; ++f) {
    data.own_schema().features.add(fmt::format("label{}", f));
  }
  for (std::uint32_t f = 0; f < planted.noise_features; ++f) {
    data.own_schema().features.add(fmt::format("noise{}", f));
  }
  data.own_schema().labels.add("A");
  data.own_schema().labels.add("B");
  for (std::uint32_t d = 0; d < planted.num_domains(); ++d) {
    data.own_schema().domains.add(fmt::format("d{}", d));
  }
  RowBuilder rows(data);
  for (std::uint32_t d = 0; d < planted.num_domains(); ++d) {
    for (std::size_t n = 0; n < planted.rows[d]; ++n) {
      const bool general = random.uniform() < planted.general_share[d];
      const std::vector<double>& own = general ? u.back() : u[d];
      rows.add(0);
      for (std::uint32_t f = 0; f < planted.gate_features; ++f) {
        const bool frequent = general == (f % 2 == 0);
        if (random.uniform() < (frequent ? planted.psi : 1 - planted.psi)) {
          rows.add(1 + f);
        }
      }
      double log_odds = 0;
      for (std::uint32_t f = 0; f < planted.label_features; ++f) {
        if (random.uniform() < 0.5) continue;
        rows.add(1 + planted.gate_features + f);
        log_odds += own[f];
      }
      for (std::uint32_t f = 0; f < planted.noise_features; ++f) {
        if (random.uniform() >= planted.noise) continue;
        rows.add(1 + planted.gate_features + planted.label_features + f);
      }
      rows.end({.label = random.uniform() < sigmoid(log_odds) ? 0U : 1U, .domain = d});
    }
  }
  return data;
}

/// Returns the mean -log p(y | x) over the rows of one domain.
inline double log_loss(const Predictor& model, const Dataset& data, std::uint32_t domain) {
  double sum = 0;
  std::vector<double> probability(data.num_labels());
  const auto rows = data.rows_of(domain);
  for (const std::size_t n : rows) {
    model.predict(data.rows[n], domain, probability);
    sum -= std::log(probability[data.label[n]]);
  }
  return sum / static_cast<double>(rows.size());
}

}  // namespace megadapt::testing_support
