#include "dataset/row_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

namespace megadapt {

void require_weight_in_every_domain(const Dataset& data, Communicator& ranks) {
  std::vector<double> mass(data.num_domains());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    mass[data.domain[n]] += static_cast<double>(data.weight[n]);
  }
  ranks.sum(mass);
  for (std::uint32_t d = 0; d < mass.size(); ++d) {
    if (mass[d] > 0) continue;
    throw UsageError(
        fmt::format("the domain '{}' has no row with a weight", data.domains().name(d)),
        "give it rows, or leave it out");
  }
}

void refuse_repeated_files(const std::vector<DomainFile>& files) {
  std::set<std::string> seen;
  for (const DomainFile& file : files) {
    std::error_code none;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(file.file, none);
    if (!seen.insert(none ? file.file : whole.string()).second) {
      throw UsageError(fmt::format("the file {} is given twice", file.file),
                       "give each file once; repeat a row's weight with $$$WEIGHT instead");
    }
  }
}

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

void refuse_feature_lines() {
  throw UsageError(
      "the model was trained on text, and these are lines of a label and features",
      "give CSV, TSV or JSON Lines with a column 'text'; if each line is a text without a "
      "label, 'megadapt predict --no-labels'; --format megam if they are features on "
      "purpose");
}

}  // namespace megadapt
