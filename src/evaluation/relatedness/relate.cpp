#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "evaluation/relatedness/conflict.hpp"
#include "evaluation/relatedness/domain_classifier.hpp"
#include "evaluation/relatedness/feature_counts.hpp"
#include "mega/fit_mixture.hpp"
#include "megadapt/comparison.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

void refuse_impossible(const Dataset& data, const RelateOptions& options) {
  if (data.num_domains() < 2) {
    throw UsageError(fmt::format("there is one domain, '{}'", data.domains().name(0)),
                     "give at least two: --domain out=a.txt --domain in=b.txt");
  }
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    if (!data.rows_of(d).empty()) continue;
    throw UsageError(fmt::format("the domain '{}' has no rows", data.domains().name(d)),
                     "check its file; a row's own \"domain\" field overrides the file's");
  }
  if (!(options.smoothing > 0)) {
    throw UsageError(fmt::format("the smoothing {} is not above 0", options.smoothing),
                     "a feature that one domain lacks would make KL infinite; use 0.1");
  }
  if (options.folds < 2) {
    throw UsageError(fmt::format("{} folds leave nothing to train on", options.folds),
                     "use 2 folds or more");
  }
}

std::vector<DomainPair> describe_pairs(const Dataset& data, const FeatureCounts& counts,
                                       const RelateOptions& options) {
  std::vector<DomainPair> pairs;
  for (std::uint32_t a = 0; a < data.num_domains(); ++a) {
    for (std::uint32_t b = a + 1; b < data.num_domains(); ++b) {
      const auto& p = counts.present[a];
      const auto& q = counts.present[b];
      pairs.push_back({.a = a,
                       .b = b,
                       .kl_ab = kl_divergence(p, q, options.smoothing),
                       .kl_ba = kl_divergence(q, p, options.smoothing),
                       .jensen_shannon = jensen_shannon(p, q),
                       .auc = {},
                       .features = separating_features(data, counts, a, b, options.top)});
    }
  }
  return pairs;
}

/// Reports progress of steps that may finish on any thread.
class StepCounter {
 public:
  StepCounter(std::string stage, std::size_t steps, const RelateOptions& options)
      : stage_(std::move(stage)), steps_(steps), options_(options) {}
  void add() {
    if (!options_.on_progress) return;
    const std::lock_guard lock(mutex_);
    ++done_;
    options_.on_progress(
        {stage_, static_cast<double>(done_) / static_cast<double>(steps_)});
  }

 private:
  std::string stage_;
  std::size_t steps_;
  const RelateOptions& options_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

// Runs small fits side by side: that is faster than several threads in each fit.
void classify_domains(const Dataset& data, const RelateOptions& options,
                      const Execution& exec, std::vector<DomainPair>& pairs) {
  StepCounter counter("telling apart",
                      pairs.size() * static_cast<std::size_t>(options.folds), options);
  for (DomainPair& pair : pairs) {
    DomainClassifier classifier(data, pair.a, pair.b, options, exec);
    exec.for_each_chunk(classifier.num_folds(), [&](std::size_t fold) {
      exec.throw_if_stopped();
      const Execution one(1);
      classifier.run_fold(fold, one);
      counter.add();
    });
    pair.auc = classifier.auc();
  }
}

Mixture fit_general_shares(const Dataset& data, const RelateOptions& options,
                           const Execution& exec) {
  MixtureOptions mixture;
  mixture.rounds = options.rounds;
  mixture.variance = options.variance;
  mixture.tolerance = 1e-3;
  mixture.seed = options.seed;
  if (options.on_progress) {
    mixture.on_progress = [&](double fraction) {
      options.on_progress({"general shares", fraction});
    };
  }
  return fit_mixture(data, mixture, exec);
}

void add_presence(const Dataset& data, const Mixture& mixture,
                  std::vector<DomainPair>& pairs) {
  for (DomainPair& pair : pairs) {
    for (SeparatingFeature& feature : pair.features) {
      const std::uint32_t f = data.features().find(feature.name);
      feature.presence = {mixture.general.presence[f], mixture.domain[pair.a].presence[f],
                          mixture.domain[pair.b].presence[f]};
    }
  }
}

void measure_conflict(const Dataset& data, const RelateOptions& options,
                      const Execution& exec, std::vector<DomainPair>& pairs) {
  const ConflictMeter meter(data, options, exec);
  StepCounter counter("conflict", pairs.size(), options);
  for (DomainPair& pair : pairs) {
    pair.from_a = meter.measure(pair.a, pair.b);
    pair.from_b = meter.measure(pair.b, pair.a);
    counter.add();
  }
}

}  // namespace

const DomainPair& Relatedness::pair(std::uint32_t one, std::uint32_t other) const {
  return *std::find_if(pairs.begin(), pairs.end(), [&](const DomainPair& pair) {
    return pair.a == std::min(one, other) && pair.b == std::max(one, other);
  });
}

double Relatedness::kl(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return 0;
  return from < to ? pair(from, to).kl_ab : pair(from, to).kl_ba;
}

const std::optional<Conflict>& Relatedness::conflict(std::uint32_t source,
                                                     std::uint32_t target) const {
  const DomainPair& both = pair(source, target);
  return source < target ? both.from_a : both.from_b;
}

Relatedness relate(const Dataset& data, const RelateOptions& options,
                   const Execution& exec) {
  refuse_impossible(data, options);
  const FeatureCounts counts = count_features(data);
  Relatedness result;
  result.smoothing = options.smoothing;
  result.pairs = describe_pairs(data, counts, options);
  classify_domains(data, options, exec, result.pairs);
  std::optional<Mixture> mixture;
  if (data.num_labels() > 1) {
    mixture = fit_general_shares(data, options, exec);
    add_presence(data, *mixture, result.pairs);
    if (options.conflict) measure_conflict(data, options, exec, result.pairs);
  }
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    const auto different = std::count_if(counts.present[d].begin(), counts.present[d].end(),
                                         [](double count) { return count > 0; });
    result.domains.push_back({std::string(data.domains().name(d)),
                              data.rows_of(d).size(),
                              static_cast<std::size_t>(different),
                              {},
                              {}});
    if (!mixture) continue;
    result.domains.back().general_share = mixture->general_share[d];
    result.domains.back().mean_general = mixture->mean_general[d];
  }
  return result;
}

}  // namespace megadapt
