// Writes the rows that a task's files become, in libsvm's format, for programs that cannot
// make them themselves.
//
//     rows TASK FILE...        TASK: pos, mention, ..., or - for rows of features or text

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"

namespace {

void print_rows(const megadapt::Dataset& data) {
  std::string line;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const megadapt::RowView row = data.rows[n];
    std::vector<std::pair<std::uint32_t, float>> entries;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      entries.emplace_back(row.features[i] + 1, row.values.empty() ? 1 : row.values[i]);
    }
    std::ranges::sort(entries);
    line = fmt::format("{}", data.label[n]);
    for (const auto& [feature, value] : entries) {
      fmt::format_to(std::back_inserter(line), " {}:{}", feature, value);
    }
    fmt::print("{}\n", line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: rows TASK FILE...\n");
    return 2;
  }
  try {
    megadapt::Recipe recipe;
    const std::string task = argv[1];
    if (task != "-") recipe.task = megadapt::TaskOptions{.task = task};
    std::vector<megadapt::DomainFile> files;
    for (int i = 2; i < argc; ++i) files.push_back({fmt::format("d{}", i), argv[i]});
    print_rows(megadapt::read_dataset(files, recipe));
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
