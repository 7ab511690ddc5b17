#include "optimize/columns.hpp"

#include <bit>

namespace megadapt {
namespace {

/// For each feature, the first feature that is taken to have the same column. A feature
/// that no row has (count 0) gets no column.
struct Firsts {
  std::vector<double> count;         // [F]; rows of all ranks
  std::vector<std::uint32_t> first;  // [F]
};

std::uint64_t scramble(std::uint64_t z) {  // the finaliser of splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// An odd number that stands for a value; 1 for the value 1.
std::uint64_t factor_of(const RowView& row, std::size_t i) {
  constexpr auto kOne = std::bit_cast<std::uint32_t>(1.0f);
  if (row.values.empty()) return 1;
  return 2 * std::uint64_t{std::bit_cast<std::uint32_t>(row.values[i]) - kOne} + 1;
}

std::vector<double> count_rows(const SparseRows& data, std::uint32_t num_features,
                               RowIds chosen, const Execution& exec) {
  std::vector<double> count(num_features);
  for (const std::size_t n : chosen) {
    for (const std::uint32_t f : data[n].features) ++count[f];
  }
  exec.ranks().sum(count);
  return count;
}

// Returns a number for each feature that depends on its column alone: a sum over rows.
std::vector<std::uint64_t> signatures(const SparseRows& data, std::uint32_t num_features,
                                      RowIds chosen, Communicator& ranks) {
  std::vector<std::uint64_t> sum(num_features);
  auto number = static_cast<std::uint64_t>(ranks.rank()) << 48;
  for (const std::size_t n : chosen) {
    const RowView row = data[n];
    const std::uint64_t own = scramble(++number * 0x9e3779b97f4a7c15);
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      sum[row.features[i]] += own * factor_of(row, i);
    }
  }
  if (ranks.size() == 1) return sum;
  std::vector<double> halves;  // a double cannot hold 64 bits
  for (const std::uint64_t s : sum) {
    halves.push_back(static_cast<double>(s & 0xffffffff));
    halves.push_back(static_cast<double>(s >> 32));
  }
  ranks.sum(halves);
  for (std::size_t f = 0; f < sum.size(); ++f) {
    sum[f] = static_cast<std::uint64_t>(halves[2 * f]) +
             (static_cast<std::uint64_t>(halves[2 * f + 1]) << 32);
  }
  return sum;
}

// The first feature with each signature, by a table of open addressing.
std::vector<std::uint32_t> first_of_each(std::span<const std::uint64_t> signature) {
  std::vector<std::uint32_t> place(std::bit_ceil(2 * signature.size() + 1), kNone);
  std::vector<std::uint32_t> first(signature.size());
  for (std::uint32_t f = 0; f < first.size(); ++f) {
    std::size_t at = signature[f] & (place.size() - 1);
    while (place[at] != kNone && signature[place[at]] != signature[f]) {
      at = (at + 1) & (place.size() - 1);
    }
    if (place[at] == kNone) place[at] = f;
    first[f] = place[at];
  }
  return first;
}

// Separates features whose columns differ after all. A feature has the same column as its
// first if both are in as many rows, and every row that has the feature has the first too,
// with the same value.
void separate_different(const SparseRows& data, RowIds chosen, Communicator& ranks,
                        Firsts& found) {
  std::vector<double> differs(found.first.size());
  std::vector<std::size_t> seen_in(found.first.size());
  std::vector<std::uint64_t> value(found.first.size());
  std::size_t number = 0;
  for (const std::size_t n : chosen) {
    const RowView row = data[n];
    ++number;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      seen_in[row.features[i]] = number;
      value[row.features[i]] = factor_of(row, i);
    }
    for (const std::uint32_t f : row.features) {
      const std::uint32_t first = found.first[f];
      if (seen_in[first] != number || value[first] != value[f]) differs[f] = 1;
    }
  }
  ranks.sum(differs);
  for (std::uint32_t f = 0; f < found.first.size(); ++f) {
    if (differs[f] > 0 || found.count[f] != found.count[found.first[f]]) found.first[f] = f;
  }
}

Columns number_columns(const Firsts& found) {
  Columns columns;
  columns.column_of.assign(found.first.size(), kNone);
  std::vector<std::uint32_t> size;
  for (std::uint32_t f = 0; f < found.first.size(); ++f) {
    if (found.count[f] == 0) continue;
    if (found.first[f] == f) {
      columns.column_of[f] = columns.size();
      columns.count.push_back(found.count[f]);
      size.push_back(0);
    }
    columns.column_of[f] = columns.column_of[found.first[f]];
    ++size[columns.column_of[f]];
  }
  for (const std::uint32_t features : size) {
    columns.begin.push_back(columns.begin.back() + features);
  }
  columns.feature.resize(columns.begin.back());
  std::vector<std::uint32_t> next(columns.begin.begin(), columns.begin.end() - 1);
  for (std::uint32_t f = 0; f < found.first.size(); ++f) {
    if (columns.column_of[f] != kNone) columns.feature[next[columns.column_of[f]]++] = f;
  }
  return columns;
}

}  // namespace

Columns separate_columns(const SparseRows& data, std::uint32_t num_features, RowIds chosen,
                         const Execution& exec) {
  Firsts found{count_rows(data, num_features, chosen, exec), {}};
  for (std::uint32_t f = 0; f < num_features; ++f) found.first.push_back(f);
  return number_columns(found);
}

Columns merged_columns(const SparseRows& data, std::uint32_t num_features, RowIds chosen,
                       const Execution& exec) {
  Communicator& ranks = exec.ranks();
  Firsts found{count_rows(data, num_features, chosen, exec),
               first_of_each(signatures(data, num_features, chosen, ranks))};
  separate_different(data, chosen, ranks, found);
  return number_columns(found);
}

}  // namespace megadapt
