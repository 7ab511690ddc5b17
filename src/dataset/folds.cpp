#include "dataset/folds.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "dataset/row_runs.hpp"
#include "execution/collectives.hpp"
#include "math/random.hpp"

namespace megadapt {
namespace {

std::uint64_t hash_of(std::string_view name) {  // FNV-1a
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// A row as all ranks know it.
struct KnownRow {
  std::uint64_t place;  // among the rows of all ranks
  std::uint64_t group;  // a hash of its name; 0: none
};

std::vector<KnownRow> known_rows(const Dataset& data, std::span<const std::size_t> rows) {
  const std::vector<std::uint64_t> place = places_of(data);
  std::vector<KnownRow> known;
  for (const std::size_t n : rows) {
    const std::uint32_t group = data.group.empty() ? kNone : data.group[n];
    known.push_back({place[n], group == kNone ? 0 : hash_of(data.groups.name(group))});
  }
  return known;
}

// The same numbers as units_of: in the order of the rows.
std::vector<std::uint32_t> units_of(std::span<const KnownRow> rows) {
  std::unordered_map<std::uint64_t, std::uint32_t> unit_of_group;
  std::vector<std::uint32_t> unit;
  std::uint32_t next = 0;
  for (const KnownRow& row : rows) {
    const bool is_new = row.group == 0 || unit_of_group.try_emplace(row.group, next).second;
    unit.push_back(is_new ? next++ : unit_of_group[row.group]);
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
  fold.reserve(unit.size());
  for (const std::uint32_t u : unit) fold.push_back(fold_of_unit[u]);
  return fold;
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
                                      Communicator& ranks) {
  if (ranks.size() == 1) return deal_units(units_of(data, rows), folds, seed);
  // Rank 0 deals the rows of all, and tells the ranks their folds, one after the other.
  std::vector<KnownRow> all;
  std::vector<std::uint64_t> begin{0};  // [ranks + 1]
  for (const std::string& message : gather(ranks, to_message(known_rows(data, rows)))) {
    const auto some = from_message<KnownRow>(message);
    all.insert(all.end(), some.begin(), some.end());
    begin.push_back(all.size());
  }
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return all[i].place; });
  std::vector<KnownRow> sorted;
  for (const std::size_t i : order) sorted.push_back(all[i]);
  if (std::ranges::adjacent_find(sorted, {}, &KnownRow::place) != sorted.end()) {
    throw UsageError("two ranks have the same row", "tell which rows by Dataset::runs");
  }
  const std::vector<std::uint32_t> dealt = deal_units(units_of(sorted), folds, seed);
  std::vector<std::uint32_t> fold(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) fold[order[i]] = dealt[i];

  begin = from_message<std::uint64_t>(broadcast(ranks, to_message(begin)));
  fold = from_message<std::uint32_t>(broadcast(ranks, to_message(fold)));
  const auto own = fold.begin() + static_cast<std::ptrdiff_t>(
                                      begin[static_cast<std::size_t>(ranks.rank())]);
  return {own, own + static_cast<std::ptrdiff_t>(rows.size())};
}

}  // namespace megadapt
