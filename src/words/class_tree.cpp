#include "words/class_tree.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace megadapt::words {
namespace {

/// The counts of classes while they are merged, and the cost of every further merge.
class Merging {
 public:
  /// Calls `step` after each row of the first table of costs, because it takes as long as all
  /// merges.
  Merging(const Exchange& classes, const std::function<void()>& step)
      : active_(classes.num_classes()),
        width_(active_ + std::size_t{2}),
        count_(classes.count()),
        pairs_(width_ * width_),
        cost_(std::size_t{active_} * active_),
        alive_(width_, true),
        phi_(std::accumulate(count_.begin(), count_.end(), std::uint64_t{0})) {
    for (std::uint32_t c = 0; c < width_; ++c) {
      for (std::uint32_t d = 0; d < width_; ++d)
        pairs_[c * width_ + d] = classes.pairs(c, d);
    }
    for (std::uint32_t i = 0; i < active_; ++i) {
      for (std::uint32_t j = i + 1; j < active_; ++j)
        cost_[i * active_ + j] = full_cost(i, j);
      step();
    }
  }

  /// Joins the cheapest two classes and returns them, the one with the smaller number first.
  std::pair<std::uint32_t, std::uint32_t> merge() {
    std::pair<std::uint32_t, std::uint32_t> best{0, 0};
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < active_; ++i) {
      if (!alive_[i]) continue;
      for (std::uint32_t j = i + 1; j < active_; ++j) {
        if (!alive_[j] || cost_[i * active_ + j] >= least) continue;
        least = cost_[i * active_ + j];
        best = {i, j};
      }
    }
    join(best.first, best.second);
    return best;
  }

 private:
  std::uint64_t pairs(std::size_t c, std::size_t d) const { return pairs_[c * width_ + d]; }

  // What pairs with a third class d contribute to the cost, in both directions. A cost is
  // F before minus F after the merge, so pairs add phi(a) + phi(b) - phi(a + b).
  double with(std::uint32_t i, std::uint32_t j, std::uint32_t d) const {
    return lost(pairs(i, d), pairs(j, d)) + lost(pairs(d, i), pairs(d, j));
  }
  double lost(std::uint64_t a, std::uint64_t b) const {
    return a == 0 || b == 0 ? 0 : phi_(a) + phi_(b) - phi_(a + b);
  }
  double full_cost(std::uint32_t i, std::uint32_t j) const {
    double cost = -2 * lost(count_[i], count_[j]);
    cost += phi_(pairs(i, i)) + phi_(pairs(j, j)) + phi_(pairs(i, j)) + phi_(pairs(j, i)) -
            phi_(pairs(i, i) + pairs(j, j) + pairs(i, j) + pairs(j, i));
    for (std::uint32_t d = 0; d < width_; ++d) {
      if (alive_[d] && d != i && d != j) cost += with(i, j, d);
    }
    return cost;
  }

  // Updates the cost of merging a pair of other classes: for it only the columns of `into`
  // and `from` change, which become one.
  void join(std::uint32_t into, std::uint32_t from) {
    each_other_pair(into, from, [&](std::uint32_t i, std::uint32_t j, double& cost) {
      cost -= with(i, j, into) + with(i, j, from);
    });
    for (std::size_t d = 0; d < width_; ++d) {
      pairs_[into * width_ + d] += std::exchange(pairs_[from * width_ + d], 0);
    }
    for (std::size_t d = 0; d < width_; ++d) {
      pairs_[d * width_ + into] += std::exchange(pairs_[d * width_ + from], 0);
    }
    count_[into] += std::exchange(count_[from], 0);
    alive_[from] = false;
    each_other_pair(into, from, [&](std::uint32_t i, std::uint32_t j, double& cost) {
      cost += with(i, j, into);
    });
    for (std::uint32_t i = 0; i < active_; ++i) {
      if (!alive_[i] || i == into) continue;
      cost_[std::min(i, into) * active_ + std::max(i, into)] =
          full_cost(std::min(i, into), std::max(i, into));
    }
  }

  template <class Visit>
  void each_other_pair(std::uint32_t a, std::uint32_t b, Visit visit) {
    for (std::uint32_t i = 0; i < active_; ++i) {
      if (!alive_[i] || i == a || i == b) continue;
      for (std::uint32_t j = i + 1; j < active_; ++j) {
        if (!alive_[j] || j == a || j == b) continue;
        visit(i, j, cost_[i * active_ + j]);
      }
    }
  }

  std::uint32_t active_;  // classes that can be merged: all but border and rare words
  std::size_t width_;
  std::vector<std::uint64_t> count_;
  std::vector<std::uint64_t> pairs_;  // [width][width]
  std::vector<double> cost_;          // [active][active], i < j
  std::vector<bool> alive_;
  XLogX phi_;
};

}  // namespace

ClassTree::ClassTree(const Exchange& classes, const Execution& exec,
                     const std::function<void(double)>& on_step)
    : classes_(classes.num_classes()), leaf_(classes_) {
  double steps = 0;
  const auto step = [&] {
    exec.throw_if_stopped();
    if (on_step) on_step(++steps / (2.0 * classes_ - 1));
  };
  Merging merging(classes, step);
  for (std::uint32_t left = classes_; left > 1; --left) {
    merges_.push_back(merging.merge());
    step();
  }
  std::vector<std::vector<std::uint32_t>> leaves(classes_);
  for (std::uint32_t c = 0; c < classes_; ++c) leaves[c] = {c};
  for (const auto& [into, from] : merges_) {
    leaves[into].insert(leaves[into].end(), leaves[from].begin(), leaves[from].end());
  }
  for (std::uint32_t place = 0; place < classes_; ++place) leaf_[leaves[0][place]] = place;
}

std::vector<std::uint32_t> ClassTree::cut(std::uint32_t size) const {
  std::vector<std::uint32_t> root(classes_);
  std::iota(root.begin(), root.end(), 0u);
  for (std::size_t m = 0; m + size < classes_; ++m) {
    const auto [into, from] = merges_[m];
    std::ranges::replace(root, from, into);
  }
  std::vector<std::uint32_t> by_leaf(classes_);
  for (std::uint32_t c = 0; c < classes_; ++c) by_leaf[leaf_[c]] = c;
  std::vector<std::uint32_t> number(classes_, kNone);
  std::uint32_t next = 0;
  for (const std::uint32_t c : by_leaf) {
    if (number[root[c]] == kNone) number[root[c]] = next++;
  }
  std::vector<std::uint32_t> cut(classes_);
  for (std::uint32_t c = 0; c < classes_; ++c) cut[c] = number[root[c]];
  return cut;
}

}  // namespace megadapt::words
