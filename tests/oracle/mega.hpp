#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "mega/fit_mixture.hpp"
#include "megadapt/model.hpp"
#include "megadapt/training.hpp"
#include "models/predictors.hpp"
#include "oracle/maxent.hpp"

// The MEGA model from its definition (docs/derivation.md §1-4), for a few rows and
// features. Multiplies and adds literally, without logarithms or shared results.
namespace megadapt::oracle {

inline bool is_present(const Dataset& data, std::size_t n, std::uint32_t f) {
  const RowView row = data.rows[n];
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (row.features[i] == f) return row.values.empty() || row.values[i] > 0;
  }
  return false;
}

/// Returns every feature that some row has, except the bias.
inline std::vector<std::uint32_t> gate_features(const Dataset& data) {
  std::vector<std::uint32_t> features;
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    bool somewhere = false;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      somewhere = somewhere || is_present(data, n, f);
    }
    if (somewhere && f != data.bias()) features.push_back(f);
  }
  return features;
}

/// p(x_n | c) = prod_f psi_f^x_f (1 - psi_f)^(1 - x_f)
inline double row_probability(const Dataset& data, std::size_t n,
                              const std::vector<double>& presence) {
  double product = 1;
  for (const std::uint32_t f : gate_features(data)) {
    product *= is_present(data, n, f) ? presence[f] : 1 - presence[f];
  }
  return product;
}

/// p(y_n | x_n, c)
inline double label_probability(const Dataset& data, std::size_t n,
                                const Component& component) {
  return probabilities(data, n, component.weights)[data.label[n]];
}

/// P(general | x_n)
inline double gamma(const Dataset& data, std::size_t n, const Mixture& m) {
  const std::uint32_t d = data.domain[n];
  const double g = m.general_share[d] * row_probability(data, n, m.general.presence);
  const double s =
      (1 - m.general_share[d]) * row_probability(data, n, m.domain[d].presence);
  return g / (g + s);
}

/// P(general | x_n, y_n)
inline double responsibility(const Dataset& data, std::size_t n, const Mixture& m) {
  const double g = gamma(data, n, m) * label_probability(data, n, m.general);
  const double s =
      (1 - gamma(data, n, m)) * label_probability(data, n, m.domain[data.domain[n]]);
  return g / (g + s);
}

/// p(x_n) of the model
inline double marginal(const Dataset& data, std::size_t n, const Mixture& m) {
  const std::uint32_t d = data.domain[n];
  return m.general_share[d] * row_probability(data, n, m.general.presence) +
         (1 - m.general_share[d]) * row_probability(data, n, m.domain[d].presence);
}

/// p(y | x_n) of the mixture for every y
inline std::vector<double> predict(const Dataset& data, std::size_t n, const Mixture& m) {
  const double g = gamma(data, n, m);
  std::vector<double> p = probabilities(data, n, m.general.weights);
  const auto own = probabilities(data, n, m.domain[data.domain[n]].weights);
  for (std::size_t y = 0; y < p.size(); ++y) p[y] = g * p[y] + (1 - g) * own[y];
  return p;
}

inline double weight_log_prior(const Component& component, double variance) {
  double sum = 0;
  for (const double w : component.weights) sum -= w * w / (2 * variance);
  return sum;
}

inline double presence_log_prior(const Dataset& data, const Component& component,
                                 const BetaPrior& beta) {
  double sum = 0;
  for (const std::uint32_t f : gate_features(data)) {
    sum += (beta.a - 1) * std::log(component.presence[f]) +
           (beta.b - 1) * std::log(1 - component.presence[f]);
  }
  return sum;
}

/// L: the penalised conditional log likelihood under zero-centred priors.
inline double objective(const Dataset& data, const Mixture& m, const MixtureOptions& o) {
  const double own_variance = o.specific_variance > 0 ? o.specific_variance : o.variance;
  double sum =
      weight_log_prior(m.general, o.variance) + presence_log_prior(data, m.general, o.beta);
  for (const Component& component : m.domain) {
    sum += weight_log_prior(component, own_variance) +
           presence_log_prior(data, component, o.beta);
  }
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    sum +=
        static_cast<double>(data.weight[n]) * std::log(predict(data, n, m)[data.label[n]]);
  }
  return sum;
}

/// Q: the bound on the gain in L from `old` to `now`, which differ in pi and psi.
inline double gate_bound(const Dataset& data, const Mixture& old, const Mixture& now,
                         const BetaPrior& beta) {
  const auto log_prior = [&](const Mixture& m) {
    double sum = presence_log_prior(data, m.general, beta);
    for (const Component& component : m.domain)
      sum += presence_log_prior(data, component, beta);
    return sum;
  };
  double sum = log_prior(now) - log_prior(old);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const std::uint32_t d = data.domain[n];
    const double h = responsibility(data, n, old);
    const auto general = [&](const Mixture& m) {
      return m.general_share[d] * row_probability(data, n, m.general.presence);
    };
    const auto specific = [&](const Mixture& m) {
      return (1 - m.general_share[d]) * row_probability(data, n, m.domain[d].presence);
    };
    sum += static_cast<double>(data.weight[n]) *
           (h * std::log(general(now) / general(old)) +
            (1 - h) * std::log(specific(now) / specific(old)) -
            marginal(data, n, now) / marginal(data, n, old) + 1);
  }
  return sum;
}

/// Returns where f, which must have one peak, is largest in (low, high): golden section.
template <class F>
double argmax(F f, double low, double high) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = f(a), at_b = f(b);
  for (int i = 0; i < 80; ++i) {
    if (at_a < at_b) {
      low = a, a = b, at_a = at_b;
      b = low + ratio * (high - low), at_b = f(b);
    } else {
      high = b, b = a, at_b = at_a;
      a = high - ratio * (high - low), at_a = f(a);
    }
  }
  return (low + high) / 2;
}

}  // namespace megadapt::oracle
