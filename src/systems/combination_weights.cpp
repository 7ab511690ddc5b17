#include "systems/combination_weights.hpp"

#include <algorithm>
#include <cmath>

#include "dataset/folds.hpp"
#include "dataset/select_rows.hpp"
#include "execution/collectives.hpp"

namespace megadapt {
namespace {

constexpr int kMostIterations = 1000;
constexpr double kSmallestChange = 1e-9;
constexpr double kLeastProbability = 1e-15;

// sum_n v_n log sum_m w_m p_mn.
double log_likelihood(const std::vector<std::vector<double>>& probability,
                      std::span<const double> row_weight, const std::vector<double>& weight,
                      Communicator& ranks) {
  double sum = 0;
  for (std::size_t n = 0; n < row_weight.size(); ++n) {
    double mixed = 0;
    for (std::size_t m = 0; m < weight.size(); ++m) {
      mixed += weight[m] * std::max(probability[m][n], kLeastProbability);
    }
    sum += row_weight[n] * std::log(mixed);
  }
  return summed(ranks, sum);
}

// If one member alone is best, EM approaches that corner ever more slowly. So this also
// tries each single member and returns the best weights found.
std::vector<double> or_one_member(const std::vector<std::vector<double>>& probability,
                                  std::span<const double> row_weight,
                                  std::vector<double> weight, Communicator& ranks) {
  double best = log_likelihood(probability, row_weight, weight, ranks);
  for (std::size_t m = 0; m < probability.size(); ++m) {
    std::vector<double> alone(probability.size());
    alone[m] = 1;
    const double likelihood = log_likelihood(probability, row_weight, alone, ranks);
    if (likelihood <= best) continue;
    best = likelihood;
    weight = alone;
  }
  return weight;
}

}  // namespace

std::vector<double> combination_weights(const std::vector<std::vector<double>>& probability,
                                        std::span<const double> row_weight,
                                        Communicator& ranks) {
  const std::size_t M = probability.size();
  std::vector<double> weight(M, 1.0 / static_cast<double>(M));
  double total = 0;
  for (const double v : row_weight) total += v;
  total = summed(ranks, total);
  if (!(total > 0)) return weight;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    std::vector<double> next(M);
    for (std::size_t n = 0; n < row_weight.size(); ++n) {
      double mixed = 0;
      for (std::size_t m = 0; m < M; ++m) {
        mixed += weight[m] * std::max(probability[m][n], kLeastProbability);
      }
      for (std::size_t m = 0; m < M; ++m) {
        next[m] += row_weight[n] * weight[m] *
                   std::max(probability[m][n], kLeastProbability) / mixed;
      }
    }
    ranks.sum(next);
    double change = 0;
    for (std::size_t m = 0; m < M; ++m) {
      next[m] /= total;
      change = std::max(change, std::abs(next[m] - weight[m]));
    }
    weight = next;
    if (change < kSmallestChange) break;
  }
  return or_one_member(probability, row_weight, weight, ranks);
}

std::vector<std::vector<double>> out_of_fold(
    const Dataset& data, std::uint32_t target,
    const std::vector<std::pair<const System*, Options>>& systems, int folds,
    std::uint64_t seed, const FitContext& given) {
  FitContext context = given;
  context.warm_starts.reset();  // they were fitted with the held-out rows
  context.mixing.reset();       // likewise
  Communicator& ranks = context.exec.ranks();
  const std::vector<std::size_t> own = data.rows_of(target);
  const auto parts = static_cast<std::uint32_t>(folds);
  const std::vector<std::uint32_t> fold = deal_folds(data, own, parts, seed, ranks);
  std::vector<std::vector<double>> result(systems.size(), std::vector<double>(own.size()));
  for (std::uint32_t held_out = 0; held_out < parts; ++held_out) {
    std::vector<std::size_t> kept;
    std::size_t i = 0;  // index into `own`
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      if (data.domain[n] != target || fold[i++] != held_out) kept.push_back(n);
    }
    const Dataset rest = select_rows(data, kept);
    const auto left = static_cast<double>(rest.rows_of(target).size());
    if (summed(ranks, left) == 0) continue;  // no target row left to train on
    for (std::size_t s = 0; s < systems.size(); ++s) {
      const auto predictor =
          systems[s].first->fit_rows(rest, target, systems[s].second, context);
      std::vector<double> p(data.num_labels());
      for (i = 0; i < own.size(); ++i) {
        if (fold[i] != held_out) continue;
        predictor->predict(data.rows[own[i]], target, p);
        result[s][i] = p[data.label[own[i]]];
      }
    }
  }
  return result;
}

}  // namespace megadapt
