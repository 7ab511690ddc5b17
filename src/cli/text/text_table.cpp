#include <fmt/format.h>

#include <algorithm>

#include "cli/text/reports.hpp"

namespace megadapt::cli {

std::string text_table(const std::vector<std::vector<std::string>>& rows, int gap) {
  std::vector<std::size_t> width(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], width[0]);
    for (std::size_t c = 1; c < row.size(); ++c)
      line += fmt::format("{:{}}{:>{}}", "", gap, row[c], width[c]);
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string percent(double share) { return fmt::format("{:.2f}", 100 * share); }

}  // namespace megadapt::cli
