#include "dataset/folds.hpp"

#include <algorithm>
#include <numeric>

#include "math/random.hpp"

namespace megadapt {
namespace {

// A group may have rows on several ranks, which must all put it into the same fold.
std::uint32_t fold_of_name(std::string_view group, std::uint32_t folds,
                           std::uint64_t seed) {
  for (const char c : group) {  // FNV-1a
    seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return Random(seed).below(folds);
}

}  // namespace

std::vector<std::uint32_t> units_of(const Dataset& data,
                                    std::span<const std::size_t> rows) {
  std::vector<std::uint32_t> unit_of_group(data.groups.size(), kNone);
  std::vector<std::uint32_t> unit;
  std::uint32_t next = 0;
  for (const std::size_t n : rows) {
    const std::uint32_t group = data.group.empty() ? kNone : data.group[n];
    if (group == kNone) {
      unit.push_back(next++);
    } else {
      if (unit_of_group[group] == kNone) unit_of_group[group] = next++;
      unit.push_back(unit_of_group[group]);
    }
  }
  return unit;
}

std::vector<std::uint32_t> deal_folds(const Dataset& data,
                                      std::span<const std::size_t> rows,
                                      std::uint32_t folds, std::uint64_t seed,
                                      const Communicator& ranks) {
  const std::vector<std::uint32_t> unit = units_of(data, rows);
  const std::uint32_t units =
      unit.empty() ? 0 : *std::max_element(unit.begin(), unit.end()) + 1;
  std::vector<std::size_t> size(units);
  for (const std::uint32_t u : unit) ++size[u];

  std::vector<std::uint32_t> order(units);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (std::uint32_t i = units; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  // Large units first, each to the fold that has the fewest rows so far.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return size[a] > size[b]; });
  std::vector<std::size_t> load(folds);
  std::vector<std::uint32_t> fold_of_unit(units);
  for (const std::uint32_t u : order) {
    const auto least = std::min_element(load.begin(), load.end());
    fold_of_unit[u] = static_cast<std::uint32_t>(least - load.begin());
    *least += size[u];
  }

  std::vector<std::uint32_t> fold;
  fold.reserve(rows.size());
  for (const std::uint32_t u : unit) fold.push_back(fold_of_unit[u]);
  if (ranks.size() > 1 && !data.group.empty()) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t group = data.group[rows[i]];
      if (group != kNone) fold[i] = fold_of_name(data.groups.name(group), folds, seed);
    }
  }
  return fold;
}

}  // namespace megadapt
