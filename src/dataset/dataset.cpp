#include "megadapt/dataset.hpp"

namespace megadapt {

RowView SparseRows::operator[](std::size_t row) const {
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
