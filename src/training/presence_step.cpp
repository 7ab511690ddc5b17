#include "training/presence_step.hpp"

#include <algorithm>
#include <cmath>

#include "math/tilted_bernoulli.hpp"

namespace megadapt {
namespace {

// How far ahead of the sweep ratios are asked for, and how many of a column: a longer
// column keeps the memory busy by itself.
constexpr std::size_t kColumnsAhead = 6;
constexpr std::size_t kRowsAhead = 48;

/// r_n = P(z = c) p(x_n | c) / p_old(x_n), times the row's weight, kept up to one common
/// factor: setting psi_f multiplies every r_n by (1-s')/(1-s), which goes into the factor,
/// and the r_n of rows that have f by the odds ratio as well.
class Ratios {
 public:
  Ratios(std::span<const std::size_t> rows, std::span<const double> start)
      : rows_(rows), ratio_(start.begin(), start.end()) {
    recount();
  }

  double total() const { return total_; }

  /// Sum over the rows of one column.
  double sum(std::span<const std::uint32_t> column) const {
    double sum = 0;
    for (const std::uint32_t n : column) sum += ratio_[n];
    return sum * factor_;
  }

  /// Asks for the memory of a column that will be summed soon.
  void prefetch(std::span<const std::uint32_t> column) const {
    for (const std::uint32_t n : column.first(std::min(column.size(), kRowsAhead))) {
      __builtin_prefetch(&ratio_[n], 1);
    }
  }

  /// psi of the column's feature goes from `from` to `to`; `with` is sum(column).
  void change(std::span<const std::uint32_t> column, double with, double without,
              double from, double to) {
    const double absent = (1 - to) / (1 - from);
    const double odds = to / from / absent;
    for (const std::uint32_t n : column) ratio_[n] *= odds;
    total_ = with * (to / from) + without * absent;
    multiply(absent);
  }

  /// All ratios change alike. Where they are all 0, nothing holds the factor back.
  void scale(double by) {
    if (total_ == 0) return;
    total_ *= by;
    multiply(by);
  }

  /// Sums anew: differences of sums lose digits over a sweep.
  void recount() {
    total_ = 0;
    for (const std::size_t n : rows_) total_ += ratio_[n];
    total_ *= factor_;
  }

 private:
  void multiply(double by) {
    factor_ *= by;
    if (factor_ > 1e-200 && factor_ < 1e200) return;
    for (const std::size_t n : rows_) ratio_[n] *= factor_;
    factor_ = 1;
  }

  std::span<const std::size_t> rows_;
  std::vector<double> ratio_;  // [N]
  double factor_ = 1;
  double total_ = 0;
};

// Columns that no row of the component has share one psi; one at a time would be the same
// step many times over. Their joint bound is, with u = log(1 - psi) and m of them,
//
//     m [P log(1 - e^u) + (T - P) u] - R e^{m (u - u_old)},
//
// concave in u; its derivative over m falls, so halving finds the zero.
double empty_columns_mode(double successes, double trials, double total, double count,
                          double old_presence) {
  const double old = std::log1p(-old_presence);
  double low = std::log(kProbabilityMargin);
  double high = std::log1p(-kProbabilityMargin);
  for (int halving = 0; halving < 200 && low < high; ++halving) {
    const double u = (low + high) / 2;
    const double slope = -successes * std::exp(u) / -std::expm1(u) + (trials - successes) -
                         total * std::exp(count * (u - old));
    (slope > 0 ? low : high) = u;
  }
  return -std::expm1((low + high) / 2);
}

class Sweep {
 public:
  Sweep(const PresenceStep& step, std::vector<double>& presence)
      : step_(step), presence_(presence), ratios_(step.rows, step.prior_mass) {
    double mass = 0;
    for (const std::size_t n : step.rows) mass += step.responsibility[n];
    trials_ = step.prior.a + step.prior.b - 2 + mass;
    for (std::size_t g = 0; g < step.columns.size(); ++g) {
      double present = 0;
      for (const std::uint32_t n : column(g)) present += step.responsibility[n];
      successes_.push_back(step.prior.a - 1 + present);
      if (column(g).empty()) empty_.push_back(step.columns.feature(g));
    }
  }

  double run() {
    if (trials_ <= 0) return 0;  // neither rows nor a prior: nothing to estimate
    const double before = step_.want_gain ? value() : 0;
    for (int sweep = 0; sweep < step_.sweeps; ++sweep) {
      const std::size_t columns = step_.columns.size();
      for (std::size_t g = 0; g < columns; ++g) {
        if (g + kColumnsAhead < columns) ratios_.prefetch(column(g + kColumnsAhead));
        if (!column(g).empty()) update(g);
      }
      update_empty();
      ratios_.recount();
    }
    if (!std::isfinite(ratios_.total()))
      throw NumericError("a presence ratio is not finite");
    return step_.want_gain ? value() - before : 0;
  }

 private:
  std::span<const std::uint32_t> column(std::size_t g) const {
    return step_.domain == kNone ? step_.columns.rows(g)
                                 : step_.columns.rows(g, step_.domain);
  }

  // S = B1 - B0 with B1 = sum_{x_nf = 1} r_n / psi_f and B0 = sum_{x_nf = 0} r_n / (1 -
  // psi_f).
  void update(std::size_t g) {
    double& psi = presence_[step_.columns.feature(g)];
    const auto rows = column(g);
    const double with = ratios_.sum(rows);
    // In a full column the difference would be rounding alone.
    const double without =
        rows.size() == step_.rows.size() ? 0 : std::max(0.0, ratios_.total() - with);
    const double slope = with / psi - without / (1 - psi);
    const double next = tilted_bernoulli_mode(successes_[g], trials_, slope);
    ratios_.change(rows, with, without, psi, next);
    psi = next;
  }

  void update_empty() {
    if (empty_.empty()) return;
    const double old = presence_[empty_.front()];
    const double count = static_cast<double>(empty_.size());
    const double next =
        empty_columns_mode(step_.prior.a - 1, trials_, ratios_.total(), count, old);
    ratios_.scale(std::exp(count * (std::log1p(-next) - std::log1p(-old))));
    for (const std::uint32_t f : empty_) presence_[f] = next;
  }

  // The bound, up to a constant.
  double value() const {
    double sum = -ratios_.total();
    for (std::size_t g = 0; g < step_.columns.size(); ++g) {
      const double psi = presence_[step_.columns.feature(g)];
      sum += successes_[g] * std::log(psi) + (trials_ - successes_[g]) * std::log1p(-psi);
    }
    return sum;
  }

  const PresenceStep& step_;
  std::vector<double>& presence_;
  Ratios ratios_;
  double trials_;                     // T
  std::vector<double> successes_;     // P [G]
  std::vector<std::uint32_t> empty_;  // features that no row of the component has
};

}  // namespace

double maximise_presence(const PresenceStep& step, std::vector<double>& presence) {
  return Sweep(step, presence).run();
}

}  // namespace megadapt
