#define XXH_INLINE_ALL
#include "dataset/folds.hpp"

#include <xxhash.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/random.hpp"
#include "dataset/row_runs.hpp"
#include "execution/collectives.hpp"

namespace megadapt {
namespace {

std::uint64_t hash_of_name(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

// What rank 0 needs to know about a row of any rank.
struct KnownRow {
  std::uint64_t place;  // its index among the rows of all ranks
  std::uint64_t group;  // a hash of its name; 0: none
};

std::vector<KnownRow> known_rows(const Dataset& data, RowIds rows) {
  const std::vector<std::uint64_t> place = places_of(data);
  std::vector<KnownRow> known;
  for (const std::size_t n : rows) {
    const std::uint32_t group = data.group.empty() ? kNone : data.group[n];
    known.push_back(
        {place[n], group == kNone ? 0 : hash_of_name(data.groups().name(group))});
  }
  return known;
}

// Returns the unit of every row, numbered in order: its group, or a unit of its own.
template <class Group>
std::vector<std::uint32_t> number_units(std::span<const Group> group_of_row, Group none) {
  std::unordered_map<Group, std::uint32_t> unit_of_group;
  std::vector<std::uint32_t> unit;
  std::uint32_t next = 0;
  for (const Group group : group_of_row) {
    const bool is_new = group == none || unit_of_group.try_emplace(group, next).second;
    unit.push_back(is_new ? next++ : unit_of_group[group]);
  }
  return unit;
}

std::vector<std::uint32_t> deal_units(std::span<const std::uint32_t> unit,
                                      std::uint32_t folds, std::uint64_t seed) {
  const std::uint32_t units =
      unit.empty() ? 0 : *std::max_element(unit.begin(), unit.end()) + 1;
  std::vector<std::size_t> size(units);
  for (const std::uint32_t u : unit) ++size[u];

  std::vector<std::uint32_t> order(units);
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  for (std::uint32_t i = units; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  // Large units first, each to the fold with the fewest rows so far.
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
  fold.reserve(unit.size());
  for (const std::uint32_t u : unit) fold.push_back(fold_of_unit[u]);
  return fold;
}

}  // namespace

std::vector<std::uint32_t> units_of(const Dataset& data, RowIds rows) {
  std::vector<std::uint32_t> group;
  for (const std::size_t n : rows) {
    group.push_back(data.group.empty() ? kNone : data.group[n]);
  }
  return number_units<std::uint32_t>(group, kNone);
}

std::vector<std::uint32_t> deal_folds(const Dataset& data, RowIds rows, std::uint32_t folds,
                                      std::uint64_t seed, Communicator& ranks) {
  if (ranks.size() == 1) return deal_units(units_of(data, rows), folds, seed);
  // Rank 0 deals the rows of all ranks and broadcasts the folds, rank after rank.
  std::vector<KnownRow> all;
  std::vector<std::uint64_t> begin{0};  // [ranks + 1]
  for (const std::string& message : gather(ranks, to_message(known_rows(data, rows)))) {
    const auto some = from_message<KnownRow>(message);
    all.insert(all.end(), some.begin(), some.end());
    begin.push_back(all.size());
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](std::size_t i) { return all[i].place; };
  std::ranges::sort(order, {}, place);
  if (std::ranges::adjacent_find(order, {}, place) != order.end()) {
    throw UsageError("two ranks have the same row",
                     "say which rows a rank has with Dataset::runs");
  }
  std::vector<std::uint64_t> group;
  for (const std::size_t i : order) group.push_back(all[i].group);
  const std::vector<std::uint32_t> dealt =
      deal_units(number_units<std::uint64_t>(group, 0), folds, seed);
  std::vector<std::uint32_t> fold(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = dealt[i];

  begin = from_message<std::uint64_t>(broadcast(ranks, to_message(begin)));
  fold = from_message<std::uint32_t>(broadcast(ranks, to_message(fold)));
  const auto own = fold.begin() + static_cast<std::ptrdiff_t>(
                                      begin[static_cast<std::size_t>(ranks.rank())]);
  return {own, own + static_cast<std::ptrdiff_t>(rows.size())};
}

}  // namespace megadapt
