#include "mega/presence_step.hpp"

#include <algorithm>
#include <cmath>

#include "base/tilted_bernoulli.hpp"

namespace megadapt {
namespace {

// Ratios are prefetched this many columns ahead of the sweep, and for this many rows of a
// column. A longer column keeps the memory busy by itself.
constexpr std::size_t kColumnsAhead = 6;
constexpr std::size_t kRowsAhead = 48;
// With few rows, successes are counted during the first sweep at almost no cost, as ratios
// and responsibilities share the cache. With a million rows they do not fit, and the sweep
// would take twice as long (bench/README.md).
constexpr std::size_t kFewRows = 1 << 18;

/// r_n = P(z = c) p(x_n | c) / p_old(x_n), times the row's weight, stored without a common
/// factor. Setting psi_f to a new s' multiplies every r_n by (1-s')/(1-s), which goes into
/// the factor, and the r_n of rows that have f by the odds ratio as well.
class Ratios {
 public:
  Ratios(RowIds rows, std::span<const double> start)
      : rows_(rows), ratio_(start.begin(), start.end()) {
    recount();
  }

  double total() const { return total_; }

  /// Returns the sum of r_n over the rows of one column.
  double sum(std::span<const std::uint32_t> column) const {
    double sum = 0;
    for (const std::uint32_t n : column) sum += ratio_[n];
    return sum * factor_;
  }

  /// Prefetches a column that will be summed soon.
  void prefetch(std::span<const std::uint32_t> column) const {
    for (const std::uint32_t n : column.first(std::min(column.size(), kRowsAhead))) {
      __builtin_prefetch(&ratio_[n], 1);
    }
  }

  /// Applies the new psi of a column's feature, which makes presence `present` times and
  /// absence `absent` times as probable. `with` is sum(column), `without` the rest.
  void change(std::span<const std::uint32_t> column, double with, double without,
              double present, double absent) {
    const double odds = present / absent;
    for (const std::uint32_t n : column) ratio_[n] *= odds;
    total_ = with * present + without * absent;
    multiply(absent);
  }

  /// Multiplies all ratios. If all are 0, it does nothing: `by` may then be infinite, and
  /// 0 times infinity is not a number.
  void scale(double by) {
    if (total_ == 0) return;
    total_ *= by;
    multiply(by);
  }

  /// Recomputes the total, because updates by differences lose digits over a sweep.
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

  RowIds rows_;
  std::vector<double> ratio_;  // [N]
  double factor_ = 1;
  double total_ = 0;
};

// Features that no row of the component has share one psi, set in one step. With
// u = log(1 - psi) and m such features, their joint bound is
//
//     m [P log(1 - e^u) + (T - P) u] - R e^{m (u - u_old)},
//
// which is concave in u. Its derivative divided by m falls, so bisection finds the zero.
double unseen_mode(double successes, double trials, double total, double count,
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
      : step_(step),
        presence_(presence),
        seen_(step.columns.seen(step.domain)),
        unseen_(step.columns.unseen(step.domain)),
        ratios_(step.rows, step.prior_mass),
        successes_(seen_.size()) {
    double mass = 0;
    for (const std::size_t n : step.rows) mass += step.responsibility[n];
    trials_ = step.prior.a + step.prior.b - 2 + mass;
  }

  double run() {
    if (trials_ <= 0) return 0;  // no rows and a flat prior
    const double total = ratios_.total();
    const std::vector<double> before = step_.want_gain ? presence_ : std::vector<double>();
    const bool count_on_the_way = step_.rows.size() <= kFewRows;
    if (!count_on_the_way) {
      for (std::size_t i = 0; i < seen_.size(); ++i) count(i);
    }
    for (int sweep = 0; sweep < step_.sweeps; ++sweep) {
      for (std::size_t i = 0; i < seen_.size(); ++i) {
        if (i + kColumnsAhead < seen_.size()) {
          ratios_.prefetch(column(seen_[i + kColumnsAhead]));
        }
        if (count_on_the_way && sweep == 0) count(i);
        update(i);
      }
      update_unseen();
      ratios_.recount();
    }
    if (!std::isfinite(ratios_.total()))
      throw NumericError("a presence ratio is not finite");
    return step_.want_gain ? value(presence_, ratios_.total()) - value(before, total) : 0;
  }

 private:
  std::span<const std::uint32_t> column(std::size_t g) const {
    return step_.columns.rows(g, step_.domain);
  }

  void count(std::size_t i) {
    double present = 0;
    for (const std::uint32_t n : column(seen_[i])) present += step_.responsibility[n];
    successes_[i] = step_.prior.a - 1 + present;
  }

  // S = B1 - B0,  B1 = sum_{x_nf = 1} r_n / psi_f,  B0 = sum_{x_nf = 0} r_n / (1 - psi_f).
  void update(std::size_t i) {
    double& psi = presence_[step_.columns.feature(seen_[i])];
    const auto rows = column(seen_[i]);
    const double with = ratios_.sum(rows);
    // If every row has the feature, the difference would be rounding error alone.
    const double without =
        rows.size() == step_.rows.size() ? 0 : std::max(0.0, ratios_.total() - with);
    const double per_presence = 1 / psi, per_absence = 1 / (1 - psi);
    psi = tilted_bernoulli_mode(successes_[i], trials_,
                                with * per_presence - without * per_absence);
    ratios_.change(rows, with, without, psi * per_presence, (1 - psi) * per_absence);
  }

  void update_unseen() {
    if (unseen_.empty()) return;
    const double old = presence_[step_.columns.feature(unseen_.front())];
    const double count = static_cast<double>(unseen_.size());
    const double next =
        unseen_mode(step_.prior.a - 1, trials_, ratios_.total(), count, old);
    ratios_.scale(std::exp(count * (std::log1p(-next) - std::log1p(-old))));
    for (const std::uint32_t g : unseen_) presence_[step_.columns.feature(g)] = next;
  }

  // The bound, up to a constant.
  double value(const std::vector<double>& presence, double total) const {
    double sum = -total;
    const auto add = [&](std::uint32_t g, double successes) {
      const double psi = presence[step_.columns.feature(g)];
      sum += successes * std::log(psi) + (trials_ - successes) * std::log1p(-psi);
    };
    for (std::size_t i = 0; i < seen_.size(); ++i) add(seen_[i], successes_[i]);
    for (const std::uint32_t g : unseen_) add(g, step_.prior.a - 1);
    return sum;
  }

  const PresenceStep& step_;
  std::vector<double>& presence_;
  std::span<const std::uint32_t> seen_;    // gate features that some row has
  std::span<const std::uint32_t> unseen_;  // gate features that no row has
  Ratios ratios_;
  double trials_ = 0;              // T
  std::vector<double> successes_;  // P of seen features
};

}  // namespace

double maximise_presence(const PresenceStep& step, std::vector<double>& presence) {
  return Sweep(step, presence).run();
}

}  // namespace megadapt
