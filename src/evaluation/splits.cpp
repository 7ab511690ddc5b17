#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/random.hpp"
#include "dataset/folds.hpp"
#include "dataset/row_checks.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

// Holds out the target's rows of fold `held_out`; all other rows are for training.
Split split_at(const Dataset& data, std::uint32_t target,
               std::span<const std::uint32_t> fold, std::uint32_t held_out) {
  Split split;
  std::size_t i = 0;  // index among the target's rows
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const bool held = data.domain[n] == target && fold[i] == held_out;
    if (data.domain[n] == target) ++i;
    (held ? split.held_out : split.train).push_back(n);
  }
  return split;
}

// Returns the unit of each target row; throws UsageError when there is only one unit.
std::vector<std::uint32_t> target_units(const Dataset& data, std::uint32_t target) {
  const std::vector<std::size_t> own = data.rows_of(target);
  std::vector<std::uint32_t> unit = units_of(data, own);
  if (unit.empty() || *std::max_element(unit.begin(), unit.end()) == 0) {
    throw UsageError(fmt::format("the target domain '{}' has {}: nothing can be held out",
                                 data.domains().name(target),
                                 own.size() < 2 ? fmt::format("{} row{}", own.size(),
                                                              own.size() == 1 ? "" : "s")
                                                : "one group of rows"),
                     own.size() < 2 ? "give it more labelled rows"
                                    : "give rows of different documents or authors "
                                      "different groups, or leave out the groups");
  }
  return unit;
}

}  // namespace

std::vector<Split> target_folds(const Dataset& data, std::uint32_t target, int folds,
                                std::uint64_t seed) {
  target_units(data, target);  // throws if there are too few
  const auto parts = static_cast<std::uint32_t>(folds);
  const std::vector<std::uint32_t> fold =
      deal_folds(data, data.rows_of(target), parts, seed);
  std::vector<Split> splits;
  for (std::uint32_t held_out = 0; held_out < parts; ++held_out) {
    Split split = split_at(data, target, fold, held_out);
    if (!split.held_out.empty()) splits.push_back(std::move(split));
  }
  return splits;
}

// Goes through the units in random order and holds out each one that still fits. If none
// fits, holds out the smallest.
Split target_split(const Dataset& data, std::uint32_t target, double fraction,
                   std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1)) {
    throw UsageError(fmt::format("the held-out share {} is not between 0 and 1", fraction),
                     "give --dev-fraction a number such as 0.2");
  }
  std::vector<std::uint32_t> unit = target_units(data, target);
  std::vector<std::size_t> size;
  for (const std::uint32_t u : unit) {
    if (u >= size.size()) size.resize(u + std::size_t{1});
    ++size[u];
  }
  std::vector<std::uint32_t> order(size.size());
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(i)]);
  }
  const auto rows = static_cast<double>(unit.size());
  const auto most =
      std::min(static_cast<std::size_t>(std::lround(fraction * rows)), unit.size() - 1);
  std::vector<std::uint32_t> side(size.size(), 1);  // 0: held out
  std::size_t held = 0;
  for (const std::uint32_t u : order) {
    if (held + size[u] > most) continue;
    held += size[u];
    side[u] = 0;
  }
  if (held == 0)
    side[*std::min_element(order.begin(), order.end(),
                           [&](auto a, auto b) { return size[a] < size[b]; })] = 0;
  for (std::uint32_t& u : unit) u = side[u];
  return split_at(data, target, unit, 0);
}

std::size_t count_duplicates(const Dataset& data, std::uint32_t target,
                             std::span<const Split> splits) {
  std::set<std::size_t> found;
  for (const Split& split : splits) {
    std::unordered_set<std::size_t> seen;
    for (const std::size_t n : split.train) {
      if (data.domain[n] == target) seen.insert(row_key(data, n));
    }
    for (const std::size_t n : split.held_out) {
      if (seen.contains(row_key(data, n))) found.insert(n);
    }
  }
  return found.size();
}

bool repeats_rows(const Dataset& data, std::uint32_t target) {
  std::unordered_map<std::size_t, std::size_t> times;
  for (const std::size_t n : data.rows_of(target)) ++times[row_key(data, n)];
  std::size_t rows = 0, repeated = 0;
  for (const auto& [key, count] : times) {
    rows += count;
    if (count > 1) repeated += count;
  }
  return 2 * repeated > rows;
}

std::size_t count_duplicates(const Dataset& train, std::uint32_t target,
                             const Dataset& test) {
  std::unordered_set<std::size_t> seen;
  for (const std::size_t n : train.rows_of(target)) seen.insert(row_key(train, n));
  std::size_t count = 0;
  for (std::size_t n = 0; n < test.num_examples(); ++n) {
    count += seen.contains(row_key(test, n));
  }
  return count;
}

}  // namespace megadapt
