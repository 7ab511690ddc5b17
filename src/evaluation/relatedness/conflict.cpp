// Does a source's model fail on rows that the target's own model gets right, and do the
// features of a row tell which rows these are?
#include "evaluation/relatedness/conflict.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dataset/select_rows.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "megadapt/error.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

constexpr double kTolerance = 1e-3;
// If the source fails on a smaller share of the rows, the conflict is not worth mentioning.
constexpr double kLeastFailures = 0.1;
constexpr double kLeastAuc = 0.6;
// If each of the two models is right on more than this share of the rows while the other is
// wrong, they contradict each other.
constexpr double kOften = 0.2;
constexpr double kDeviations = 2;
// The classifier of disagreements has few rows and many features.
constexpr double kTellingVariance = 0.1;

const char* const kRevealed = "conflict that x reveals: try megam";
const char* const kHidden =
    "conflict that x does not reveal: let the target decide, with prior or easyadapt";
const char* const kSourceIsBetter =
    "the source's model is right more often than the target's own: pooling is safe";
const char* const kUnclear =
    "the models contradict each other, and neither is right more often: compare systems";
const char* const kLittle = "little conflict: pooling is safe";

std::vector<Split> folds_or_none(const Dataset& data, std::uint32_t domain, int folds,
                                 std::uint64_t seed) {
  try {
    return target_folds(data, domain, folds, seed);
  } catch (const UsageError&) {
    return {};
  }
}

/// The rows of a domain on which two models disagree, one of them being right. The label is
/// 1 where the source's is wrong.
Dataset disagreements(const Dataset& data, std::span<const std::size_t> rows,
                      std::span<const std::uint8_t> source_hits,
                      std::span<const std::uint8_t> own_hits) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (source_hits[i] != own_hits[i]) chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end(),
            [&](std::size_t a, std::size_t b) { return rows[a] < rows[b]; });
  std::vector<std::size_t> ids;
  for (const std::size_t i : chosen) ids.push_back(rows[i]);
  Dataset selected = select_rows(data, ids);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    selected.label[k] = source_hits[chosen[k]] ? 0 : 1;
  }
  return selected;
}

/// Returns the AUC of a cross-fitted classifier of the labels 0 and 1. Unset if a fold
/// cannot be held out.
std::optional<double> telling_auc(const Dataset& rows, std::uint32_t domain,
                                  Options fitting, const RelateOptions& options,
                                  const Execution& exec) {
  fitting.variance = kTellingVariance;
  const std::size_t Y = rows.num_labels();
  double won = 0, pairs = 0;
  for (const Split& split : folds_or_none(rows, domain, options.folds, options.seed)) {
    const Dataset train = select_rows(rows, split.train);
    const auto model =
        only_target_system().fit(train, domain, fitting, FitContext{.exec = exec});
    const Predictions predicted = predict_rows(*model, rows, split.held_out, domain, exec);
    std::array<std::vector<double>, 2> score;
    for (std::size_t i = 0; i < split.held_out.size(); ++i) {
      const double* p = predicted.probability.data() + i * Y;
      score[rows.label[split.held_out[i]]].push_back(p[1] - p[0]);
    }
    if (score[0].empty() || score[1].empty()) continue;
    const auto count = static_cast<double>(score[0].size() * score[1].size());
    won += count * area_under_curve(score[1], score[0]);
    pairs += count;
  }
  return pairs > 0 ? std::optional<double>(won / pairs) : std::nullopt;
}

/// Whether an AUC is above 1/2 by more than chance (variance of the Mann-Whitney U).
bool tells(double auc, double fails, double helps) {
  const double deviation = std::sqrt((fails + helps + 1) / (12 * fails * helps));
  return auc >= kLeastAuc && auc - 0.5 > kDeviations * deviation;
}

}  // namespace

ConflictMeter::ConflictMeter(const Dataset& data, const RelateOptions& options,
                             const Execution& exec)
    : data_(data), options_(options), exec_(exec), domains_(data.num_domains()) {
  fitting_.variance = options.variance;
  fitting_.tolerance = kTolerance;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) fit(d);
}

void ConflictMeter::fit(std::uint32_t domain) {
  Domain& own = domains_[domain];
  const System& alone = only_target_system();
  const FitContext context{.exec = exec_};
  own.whole = alone.fit(data_, domain, fitting_, context);
  for (const Split& split : folds_or_none(data_, domain, options_.folds, options_.seed)) {
    exec_.throw_if_stopped();
    const Dataset train = select_rows(data_, split.train);
    const auto model = alone.fit(train, domain, fitting_, context);
    const Predictions predicted =
        predict_rows(*model, data_, split.held_out, domain, exec_);
    const auto hit = hits(data_, split.held_out, predicted);
    own.rows.insert(own.rows.end(), split.held_out.begin(), split.held_out.end());
    own.own_hits.insert(own.own_hits.end(), hit.begin(), hit.end());
  }
}

std::optional<Conflict> ConflictMeter::measure(std::uint32_t source,
                                               std::uint32_t target) const {
  const Domain& own = domains_[target];
  if (own.rows.empty()) return std::nullopt;
  const Predictions predicted =
      predict_rows(*domains_[source].whole, data_, own.rows, target, exec_);
  const auto source_hits = hits(data_, own.rows, predicted);
  double fails = 0, helps = 0;
  for (std::size_t i = 0; i < own.rows.size(); ++i) {
    fails += own.own_hits[i] > source_hits[i];
    helps += own.own_hits[i] < source_hits[i];
  }
  const auto rows = static_cast<double>(own.rows.size());
  Conflict conflict{.source_fails = fails / rows, .source_helps = helps / rows};
  if (fails > 0 && helps > 0) {
    conflict.auc = telling_auc(disagreements(data_, own.rows, source_hits, own.own_hits),
                               target, fitting_, options_, exec_);
  }
  const double most_by_chance = kDeviations * std::sqrt(fails + helps);
  if (conflict.source_fails < kLeastFailures) {
    conflict.advice = kLittle;
  } else if (conflict.auc && tells(*conflict.auc, fails, helps)) {
    conflict.advice = kRevealed;
  } else if (fails - helps > most_by_chance) {
    conflict.advice = kHidden;
  } else if (helps - fails > most_by_chance) {
    conflict.advice = kSourceIsBetter;
  } else {
    conflict.advice = std::min(conflict.source_fails, conflict.source_helps) > kOften
                          ? kUnclear
                          : kLittle;
  }
  return conflict;
}

}  // namespace megadapt
