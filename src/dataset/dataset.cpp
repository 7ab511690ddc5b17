#include "megadapt/dataset.hpp"

#include <type_traits>
#include <utility>

namespace megadapt {

namespace {

// The row's features, then the bias, in the number types of the library.
RowView read_row(const BorrowedRows& rows, std::size_t row) {
  thread_local std::vector<std::uint32_t> feature;
  thread_local std::vector<float> value;
  const auto [first, last] = std::visit(
      [row](auto begin) {
        return std::pair(static_cast<std::size_t>(begin[row]),
                         static_cast<std::size_t>(begin[row + 1]));
      },
      rows.begin);
  const std::size_t count = last - first;
  const std::size_t with_bias = count + (rows.bias != kNone);
  feature.assign(with_bias, rows.bias);
  std::visit(
      [&, from = first](auto all) {
        for (std::size_t i = 0; i < count; ++i) {
          feature[i] = static_cast<std::uint32_t>(all[from + i]);
        }
      },
      rows.feature);
  if (std::holds_alternative<std::monostate>(rows.value)) return {feature, {}};
  value.assign(with_bias, 1);
  std::visit(
      [&, from = first](auto all) {
        if constexpr (!std::is_same_v<decltype(all), std::monostate>) {
          for (std::size_t i = 0; i < count; ++i) {
            value[i] = static_cast<float>(all[from + i]);
          }
        }
      },
      rows.value);
  return {feature, value};
}

std::size_t length(const auto& array) {
  return std::visit([](auto numbers) { return numbers.size(); }, array);
}

}  // namespace

std::size_t SparseRows::size() const {
  return (borrowed ? length(borrowed->begin) : begin.size()) - 1;
}

std::size_t SparseRows::nonzeros() const {
  if (!borrowed) return feature.size();
  return length(borrowed->feature) + (borrowed->bias == kNone ? 0 : size());
}

bool SparseRows::has_values() const {
  return borrowed ? !std::holds_alternative<std::monostate>(borrowed->value)
                  : !value.empty();
}

RowView SparseRows::operator[](std::size_t row) const {
  if (borrowed) return read_row(*borrowed, row);
  const std::size_t first = begin[row];
  const std::size_t count = begin[row + 1] - first;
  return {{feature.data() + first, count},
          value.empty() ? std::span<const float>()
                        : std::span<const float>(value.data() + first, count)};
}

std::vector<std::size_t> Dataset::rows_of(std::uint32_t domain_id) const {
  std::vector<std::size_t> rows_of_domain;
  for (std::size_t n = 0; n < domain.size(); ++n) {
    if (domain[n] == domain_id) rows_of_domain.push_back(n);
  }
  return rows_of_domain;
}

}  // namespace megadapt
