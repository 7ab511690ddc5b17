#include "optimize/candidate_objective.hpp"

#include <algorithm>
#include <cmath>

#include "megadapt/error.hpp"
#include "optimize/minimize.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kExamplesPerTask = 256;
constexpr std::size_t kColumnsPerTask = 64;

double value_at(const RowView& row, std::size_t i) {
  return row.values.empty() ? 1.0 : static_cast<double>(row.values[i]);
}

}  // namespace

CandidateObjective::CandidateObjective(const Candidates& data, std::uint32_t num_features,
                                       double precision, std::span<const double> mean,
                                       const Execution& exec)
    : data_(data),
      precision_(precision),
      mean_(mean),
      exec_(exec),
      column_begin_(num_features + std::size_t{1}),
      column_(data.rows.nonzeros()),
      probability_(data.rows.size()),
      residual_(data.rows.size()),
      spread_(data.rows.size()) {
  for (std::size_t c = 0; c < data.rows.size(); ++c) {
    for (const std::uint32_t f : data.rows[c].features) ++column_begin_[f + 1];
  }
  for (std::size_t f = 0; f < num_features; ++f) column_begin_[f + 1] += column_begin_[f];
  std::vector<std::uint64_t> next(column_begin_.begin(), column_begin_.end() - 1);
  for (std::size_t c = 0; c < data.rows.size(); ++c) {
    const RowView row = data.rows[c];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      column_[next[row.features[i]]++] = {c, value_at(row, i)};
    }
  }
}

// Fills the numbers of the example's candidates; returns weight * -log p(chosen).
double CandidateObjective::choose(std::size_t example, std::span<const double> weights) {
  const std::size_t first = data_.begin[example], last = data_.begin[example + 1];
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t c = first; c < last; ++c) {
    const RowView row = data_.rows[c];
    double score = 0;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      score += weights[row.features[i]] * value_at(row, i);
    }
    probability_[c] = score;
    highest = std::max(highest, score);
  }
  const double chosen_score = probability_[data_.chosen[example]];
  double total = 0;
  for (std::size_t c = first; c < last; ++c) {
    total += probability_[c] = std::exp(probability_[c] - highest);
  }
  const double weight = data_.weight[example];
  for (std::size_t c = first; c < last; ++c) {
    const double p = probability_[c] /= total;
    residual_[c] = weight * (p - (c == data_.chosen[example] ? 1 : 0));
    spread_[c] = weight * p * (1 - p);
  }
  return weight * (highest + std::log(total) - chosen_score);
}

double CandidateObjective::value(std::span<const double> weights) {
  ++half_passes_;
  const double loss = exec_.parallel_sum(data_.size(), kExamplesPerTask,
                                         [&](std::size_t first, std::size_t last) {
                                           double sum = 0;
                                           for (std::size_t n = first; n < last; ++n)
                                             sum += choose(n, weights);
                                           return sum;
                                         });
  double distance = 0;
  for (std::size_t f = 0; f < weights.size(); ++f) {
    distance += (weights[f] - mean(f)) * (weights[f] - mean(f));
  }
  return loss + precision_ * distance / 2;
}

template <class Term>
void CandidateObjective::sum_columns(std::span<double> out, Term term) {
  ++half_passes_;
  exec_.parallel_for(out.size(), kColumnsPerTask, [&](std::size_t first, std::size_t last) {
    for (std::size_t f = first; f < last; ++f) {
      double sum = 0;
      for (std::size_t i = column_begin_[f]; i < column_begin_[f + 1]; ++i) {
        sum += term(column_[i]);
      }
      out[f] = sum;
    }
  });
}

void CandidateObjective::gradient(std::span<const double> weights, std::span<double> out) {
  sum_columns(out, [&](const Entry& e) { return residual_[e.candidate] * e.value; });
  for (std::size_t f = 0; f < out.size(); ++f) {
    out[f] += precision_ * (weights[f] - mean(f));
  }
}

void CandidateObjective::hessian_diagonal(std::span<double> out) {
  sum_columns(out,
              [&](const Entry& e) { return spread_[e.candidate] * e.value * e.value; });
  for (double& value : out) value += precision_;
}

MaxentFit fit_candidates(const Candidates& data, std::uint32_t num_features,
                         const CandidateOptions& options, const Execution& exec) {
  CandidateObjective objective(data, num_features, options.precision, options.mean, exec);
  MaxentFit fit;
  const auto start = options.start.empty() ? options.mean : options.start;
  fit.weights.assign(start.begin(), start.end());
  fit.weights.resize(num_features);
  const Minimum minimum = minimize_lbfgs(objective, fit.weights,
                                         {.tolerance = options.tolerance,
                                          .max_passes = options.max_passes,
                                          .min_gain = options.min_gain,
                                          .on_iteration = options.on_iteration});
  if (!std::isfinite(minimum.objective)) {
    throw NumericError("the objective is not finite", "check for huge feature values");
  }
  fit.objective = minimum.objective;
  fit.gap = minimum.gap;
  fit.converged = minimum.converged;
  fit.passes = objective.passes();
  return fit;
}

}  // namespace megadapt
