#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/systems.hpp"

namespace megadapt {

/// A feature that tells two domains apart.
struct SeparatingFeature {
  std::string name;
  double information =
      0;               ///< bits its presence gives about the domain, both equally likely
  double share_a = 0;  ///< rows of the first domain that have it
  double share_b = 0;  ///< and of the second
};

/// Two domains, a before b in the order of the data.
struct DomainPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double kl_ab = 0;           ///< KL(a || b) of the unigram models, nats
  double kl_ba = 0;           ///< KL(b || a)
  double jensen_shannon = 0;  ///< of the relative frequencies, bits: 0 equal, 1 disjoint
  /// Chance that a classifier puts a row of b above one of a, neither seen in training: 1/2
  /// when the domains look alike, 1 when they can be told apart. Absent where a domain has
  /// less than two rows or groups to hold out.
  std::optional<double> auc;
  std::vector<SeparatingFeature> features;  ///< the most telling first
};

struct DomainSummary {
  std::string name;
  std::size_t examples = 0;
  std::size_t features = 0;             ///< different ones, without the bias
  std::optional<double> general_share;  ///< pi; absent where all rows have one label
};

struct Relatedness {
  std::vector<DomainSummary> domains;  ///< [K]
  std::vector<DomainPair> pairs;       ///< a < b, by a and then b
  double smoothing = 0;                ///< of the unigram models

  const DomainPair& pair(std::uint32_t one, std::uint32_t other) const;
  double kl(std::uint32_t from, std::uint32_t to) const;  ///< 0 for a domain and itself
};

struct RelateOptions {
  double smoothing = 0.1;  ///< added to every count of the unigram models
  int folds = 5;           ///< of the domain classifier
  double variance = 1;     ///< sigma^2 of the classifier's and the mixture's weights
  int rounds = 5;          ///< of conditional EM, for pi
  std::size_t top = 10;    ///< separating features per pair
  std::uint64_t seed = 1;
  std::function<void(const Progress&)> on_progress = {};
};

/// How alike domains are: in their features, to a classifier of the domain, and in how
/// labels depend on features (pi of a MEGA mixture).
///
///     const Relatedness how = relate(data, {}, exec);
///     how.pair(0, 1).auc;
///
/// What is said of a pair does not depend on other domains, apart from pi. The same for any
/// number of threads. Throws UsageError when there are fewer than two domains or one has no
/// rows.
Relatedness relate(const Dataset& data, const RelateOptions& options,
                   const Execution& exec);

/// KL(p || q) in nats of the unigram models of two domains, where `p` and `q` count how
/// often each feature occurs. A feature that occurs in either has the probability
/// (count + smoothing) / (total + smoothing V), V being the number of such features.
double kl_divergence(std::span<const double> p, std::span<const double> q,
                     double smoothing);

/// The Jensen-Shannon divergence in bits of the relative frequencies of two counts: within
/// [0, 1], and finite without smoothing. Counts of nothing differ from all others by 1.
double jensen_shannon(std::span<const double> p, std::span<const double> q);

/// The chance that a score drawn from `high` exceeds one from `low`, ties counting half;
/// neither may be empty.
double area_under_curve(std::span<const double> high, std::span<const double> low);

}  // namespace megadapt
