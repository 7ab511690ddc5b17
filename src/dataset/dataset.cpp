#include "megadapt/dataset.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

namespace megadapt {

namespace {

/// An extra number for a row, at the front or at the end. At the front, `shift` is added to
/// the row's other numbers.
template <class Number>
struct Extra {
  Number number;
  bool in_front;
  Number shift = 0;
};

// Returns `count` numbers from `first` on, with `extra`, as the library's type. They are
// copied to `room` unless the array already has that type and there is no extra.
template <class To>
std::span<const To> as_numbers(const auto& array, std::size_t first, std::size_t count,
                               std::optional<Extra<To>> extra, std::vector<To>& room) {
  return std::visit(
      [&](auto all) -> std::span<const To> {
        if constexpr (std::is_same_v<decltype(all), std::monostate>) {
          return {};
        } else {
          const auto own = all.subspan(first, count);
          using From = std::remove_const_t<typename decltype(own)::element_type>;
          // An array of a signed type may be read as the corresponding unsigned type.
          if constexpr (sizeof(From) == sizeof(To) &&
                        std::is_integral_v<From> == std::is_integral_v<To>) {
            if (!extra) return {reinterpret_cast<const To*>(own.data()), count};
          }
          room.resize(count + (extra ? 1 : 0));
          const To shift = extra ? extra->shift : To{0};
          std::ranges::transform(
              own, room.begin() + (extra && extra->in_front ? 1 : 0),
              [shift](From number) { return static_cast<To>(number) + shift; });
          if (extra) (extra->in_front ? room.front() : room.back()) = extra->number;
          return room;
        }
      },
      array);
}

// Returns the row's features, with the bias if there is one.
RowView read_row(const BorrowedRows& rows, std::size_t row) {
  thread_local std::vector<std::uint32_t> feature;
  thread_local std::vector<float> value;
  const auto [first, last] = std::visit(
      [row](auto begin) {
        return std::pair(static_cast<std::size_t>(begin[row]),
                         static_cast<std::size_t>(begin[row + 1]));
      },
      rows.begin);
  std::optional<Extra<std::uint32_t>> bias;
  std::optional<Extra<float>> its_value;
  if (rows.bias != kNone) {
    const bool in_front = rows.bias == 0;
    bias = {rows.bias, in_front, in_front ? 1u : 0u};
    its_value = {1.0f, in_front};
  }
  return {as_numbers(rows.feature, first, last - first, bias, feature),
          as_numbers(rows.value, first, last - first, its_value, value)};
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

std::size_t SoftLabels::first_from(std::size_t n) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(row, n) - row.begin());
}

std::span<const LabelShare> SoftLabels::of(std::size_t n) const {
  if (empty()) return {};
  const std::size_t i = first_from(n);
  if (i == size() || row[i] != n) return {};
  return (*this)[i];
}

void SoftLabels::add(std::size_t n, std::span<const LabelShare> labels) {
  row.push_back(n);
  shares.insert(shares.end(), labels.begin(), labels.end());
  begin.push_back(shares.size());
}

SoftLabels SoftLabels::select(RowIds rows) const {
  SoftLabels chosen;
  if (empty()) return chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto labels = of(rows[i]);
    if (!labels.empty()) chosen.add(i, labels);
  }
  return chosen;
}

namespace {

// Returns an object that may be changed: a copy first replaces it if it has other owners.
// The const_cast is safe because every such object was created non-const.
template <class T>
T& owned(std::shared_ptr<const T>& shared) {
  if (shared.use_count() != 1) shared = std::make_shared<T>(*shared);
  return const_cast<T&>(*shared);
}

}  // namespace

Schema& Dataset::own_schema() { return owned(schema); }
NameIndex& Dataset::own_groups() { return owned(group_names); }

std::vector<std::string> Dataset::label_names() const {
  std::vector<std::string> names = labels().names();
  for (const std::string& name : extra_labels.names()) names.push_back(name);
  return names;
}

std::uint32_t Dataset::add_extra_label(std::string_view name) {
  const std::uint32_t known = labels().find(name);
  return known == kNone ? labels().size() + extra_labels.add(name) : known;
}

std::vector<std::size_t> Dataset::rows_of(std::uint32_t domain_id) const {
  std::vector<std::size_t> rows_of_domain;
  for (std::size_t n = 0; n < domain.size(); ++n) {
    if (domain[n] == domain_id) rows_of_domain.push_back(n);
  }
  return rows_of_domain;
}

}  // namespace megadapt
