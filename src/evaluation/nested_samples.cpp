#include "evaluation/nested_samples.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/random.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kSmallestSize = 5;

std::uint32_t group_of(const Dataset& data, std::size_t n) {
  return data.group.empty() ? kNone : data.group[n];
}

// Rows of one group (document or author) are one unit; without groups a sentence is one.
bool same_unit(const Dataset& data, std::size_t before, std::size_t n) {
  if (group_of(data, n) != kNone) return group_of(data, n) == group_of(data, before);
  if (!data.is_sequences()) return false;
  return before + 1 == n &&
         !std::binary_search(data.sentence_begin.begin(), data.sentence_begin.end(), n);
}

std::vector<std::vector<std::size_t>> rows_by_unit(const Dataset& data,
                                                   const std::vector<std::size_t>& rows) {
  std::vector<std::vector<std::size_t>> units;
  std::unordered_map<std::uint32_t, std::size_t> unit_of_group;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t group = group_of(data, rows[i]);
    std::size_t unit = units.size();
    if (group != kNone) {
      unit = unit_of_group.try_emplace(group, units.size()).first->second;
    } else if (i > 0 && same_unit(data, rows[i - 1], rows[i])) {
      --unit;
    }
    if (unit == units.size()) units.emplace_back();
    units[unit].push_back(rows[i]);
  }
  return units;
}

}  // namespace

std::vector<std::size_t> shuffled_rows(const Dataset& data, std::vector<std::size_t> rows,
                                       std::uint64_t seed) {
  auto units = rows_by_unit(data, rows);
  Random random(seed);
  for (auto i = static_cast<std::uint32_t>(units.size()); i > 1; --i) {
    std::swap(units[i - 1], units[random.below(i)]);
  }
  rows.clear();
  for (const auto& unit : units) rows.insert(rows.end(), unit.begin(), unit.end());
  return rows;
}

std::size_t sample_size(const Dataset& data, const std::vector<std::size_t>& shuffled,
                        std::size_t size) {
  std::size_t best = 0;  // the unit end nearest to `size`; ties take the smaller
  for (std::size_t end = 1; end <= shuffled.size(); ++end) {
    if (end < shuffled.size() && same_unit(data, shuffled[end - 1], shuffled[end]))
      continue;
    const bool nearer = end <= size || end - size < size - best;
    if (best == 0 || nearer) best = end;
    if (end >= size) break;
  }
  return best;
}

std::vector<std::size_t> halved_sizes(std::size_t all, std::size_t most) {
  std::vector<std::size_t> sizes;
  double size = static_cast<double>(all);
  while (sizes.size() < most) {
    sizes.push_back(static_cast<std::size_t>(size + 0.5));
    size /= 2;
    if (size < static_cast<double>(kSmallestSize)) break;
  }
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace megadapt
