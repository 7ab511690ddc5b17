#include <cmath>

#include "optimize/maxent.hpp"
#include "optimize/maxent_objective.hpp"
#include "optimize/maxent_problem_impl.hpp"

namespace megadapt {
namespace {

// The label scores of one example are coupled. With p(1-p) alone, leaving a row out would
// seem to move them too far: with two labels, about twice as far as a true refit does. This
// factor matches a true refit of one feature.
double coupling(std::uint32_t num_labels) {
  if (num_labels < 2) return 1;
  return static_cast<double>(num_labels) / (static_cast<double>(num_labels) - 1);
}

// Returns log p(label) after each label's score has moved by `shift`, or its mean over
// `shares` if there are any; fills `score`.
double shifted_log_softmax(std::span<const float> probability, const float* shift,
                           std::size_t label, std::span<const LabelShare> shares,
                           std::span<double> score) {
  for (std::size_t y = 0; y < score.size(); ++y) {
    score[y] = std::log(static_cast<double>(std::max(probability[y], 1e-37f))) +
               static_cast<double>(shift[y]);
  }
  double most = score[0];
  for (const double s : score) most = std::max(most, s);
  double total = 0;
  for (const double s : score) total += std::exp(s - most);
  double own = shares.empty() ? score[label] : 0;
  for (const LabelShare& one : shares) {
    own += static_cast<double>(one.share) * score[one.label];
  }
  return own - most - std::log(total);
}

// Rows in terms of their features, which are numbered as in Columns::feature. All features of
// a column have its value.
SparseRows expand(const TiledRows& tiles, std::size_t first, std::size_t last) {
  const std::vector<std::uint32_t>& begin = tiles.columns().begin;
  SparseRows rows;
  for (std::size_t n = first; n < last; ++n) {
    for (std::size_t i = tiles.begin()[n]; i < tiles.begin()[n + 1]; ++i) {
      const std::uint32_t column = tiles.feature()[i];
      for (std::uint32_t f = begin[column]; f < begin[column + 1]; ++f) {
        rows.feature.push_back(f);
        if (tiles.value()) rows.value.push_back(tiles.value()[i]);
      }
    }
    rows.begin.push_back(rows.feature.size());
  }
  return rows;
}

// Computes a row's gradient in the score of each label, and its part of the Hessian.
void describe_row(std::span<const float> probability, std::uint32_t label,
                  std::span<const LabelShare> shares, float weight, float c, float* pull,
                  float* own) {
  for (std::uint32_t y = 0; y < probability.size(); ++y) {
    const float gold = y == label ? 1.0f : 0.0f;
    pull[y] = weight * (probability[y] - gold);
    own[y] = c * weight * probability[y] * (1 - probability[y]);
  }
  for (const LabelShare& one : shares) {
    pull[one.label] = weight * (probability[one.label] - one.share);
  }
}

}  // namespace

// Row n pulls its own scores towards its label. Without it they move to
//
//   s_ny(-n) = s_ny
//     + w_n (p_ny - [y = y_n]) sum_f x_nf^2 / (H_fy - c w_n p_ny (1-p_ny) x_nf^2),
//
// to first order with the Hessian's diagonal H. If the prior is centred on the general
// expert, that expert moves too, and a weight follows its mean by (1 / variance) / H_fy. In
// this term the prior's factors are taken as 1.
LeaveOneOut MaxentProblem::leave_one_out(std::span<const double> weights,
                                         std::span<const double> row_weight,
                                         double variance, const Execution& exec,
                                         const LeaveOneOut* general, RowIds general_row,
                                         std::span<const double> prior_factor) const {
  const Impl& p = *impl_;
  const std::uint32_t Y = p.num_labels;
  const std::uint32_t stride = p.stride;
  const float c = static_cast<float>(coupling(Y));
  const float precision = static_cast<float>(1 / variance);

  LeaveOneOut result;
  result.row_weight = p.row_weights<double>(row_weight);
  const std::vector<float> w = p.row_weights<float>(row_weight);
  const std::vector<float> packed = p.gather<float>(weights);
  const std::vector<float> factor = p.column_factor<float>(prior_factor);
  MaxentObjective<float> objective(p.tiles, p.label, w, Y, variance, {}, factor, exec,
                                   kMostKeptBytes, p.soft);
  objective.value(packed);

  // The Hessian's diagonal for each feature, with the rows' part multiplied by the coupling.
  const Columns& columns = p.tiles.columns();
  std::vector<float> of_column(packed.size());
  objective.hessian_diagonal(of_column);
  std::vector<float> hessian(columns.feature.size() * stride);
  std::vector<float> general_hessian(general ? hessian.size() : 0);
  result.hessian.assign(std::size_t{p.num_features} * Y, precision);
  for (std::size_t i = 0; i < columns.feature.size(); ++i) {
    const std::uint32_t f = columns.feature[i];
    const std::size_t column = std::size_t{columns.column_of[f]} * stride;
    const float prior =
        precision * (prior_factor.empty() ? 1 : static_cast<float>(prior_factor[f]));
    for (std::uint32_t y = 0; y < stride; ++y) {
      const float merged = precision * (factor.empty() ? 1 : factor[column + y]);
      hessian[i * stride + y] = prior + c * (of_column[column + y] - merged);
      if (y >= Y) continue;
      result.hessian[f * Y + y] = hessian[i * stride + y];
      if (general) general_hessian[i * stride + y] = general->hessian[f * Y + y];
    }
  }

  result.log_likelihood.resize(p.num_rows());
  result.probability.resize(p.num_rows() * Y);
  exec.parallel_for(p.num_rows(), kRowsPerChunk, [&](std::size_t first, std::size_t last) {
    const std::size_t size = (last - first) * stride;
    std::vector<float> pull(size), own(size), general_pull(size), general_own(size);
    objective.with_probabilities(
        first, last, [&](std::size_t from, std::size_t to, const float* probability) {
          for (std::size_t n = from; n < to; ++n, probability += stride) {
            std::copy_n(probability, Y, &result.probability[n * Y]);
          }
        });
    for (std::size_t n = first; n < last; ++n) {
      const std::size_t at = (n - first) * stride;
      describe_row({&result.probability[n * Y], Y}, p.label[n], p.soft.of(n), w[n], c,
                   &pull[at], &own[at]);
      if (!general) continue;
      const std::size_t there = general_row[n];
      describe_row({general->probability.data() + there * Y, Y}, p.label[n], p.soft.of(n),
                   static_cast<float>(general->row_weight[there]), c, &general_pull[at],
                   &general_own[at]);
    }
    std::vector<float> shift(size);
    const SparseRows rows = expand(p.tiles, first, last);
    objective.kernels().own_influence(rows.begin.data(), rows.feature.data(),
                                      rows.value.empty() ? nullptr : rows.value.data(),
                                      {hessian.data(), pull.data(), own.data(), precision,
                                       general ? general_hessian.data() : nullptr,
                                       general_pull.data(), general_own.data()},
                                      stride, 0, last - first, shift.data());

    std::vector<double> score(Y);
    for (std::size_t n = first; n < last; ++n) {
      result.log_likelihood[n] =
          shifted_log_softmax({&result.probability[n * Y], Y}, &shift[(n - first) * stride],
                              p.label[n], p.soft.of(n), score);
    }
  });
  return result;
}

}  // namespace megadapt
