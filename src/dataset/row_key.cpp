#include "dataset/row_key.hpp"

#include <algorithm>
#include <functional>

namespace megadapt {

std::size_t row_key(const Dataset& data, std::size_t n) {
  const RowView row = data.rows[n];
  std::vector<std::pair<std::uint32_t, float>> sorted;
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    sorted.emplace_back(row.features[i], row.values.empty() ? 1.0f : row.values[i]);
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.emplace_back(data.label[n], 0.0f);
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(sorted.data()), sorted.size() * sizeof(sorted[0])});
}

}  // namespace megadapt
