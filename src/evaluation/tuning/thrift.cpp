// How a search for settings saves work: with loose fits, with a sample of the source rows,
// and by dropping poor candidates early.
#include "evaluation/tuning/thrift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/option_table.hpp"
#include "base/random.hpp"

namespace megadapt {
namespace {

const std::vector<std::string>& effort_names() {
  static const std::vector<std::string> names{"quick", "normal", "thorough"};
  return names;
}

}  // namespace

Effort parse_effort(std::string_view name) {
  return static_cast<Effort>(parse_choice("effort", name, effort_names()));
}

std::string_view effort_name(Effort effort) {
  return effort_names()[static_cast<std::size_t>(effort)];
}

// docs/compare.md explains these savings, and docs/performance.md has measurements.
Thrift thrift_of(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {.tolerance = 1e-2,
              .psi_sweeps = 1,
              .source_rows = 2,
              .fewest_source = 2000,
              .races = true,
              .repeats = false};
    case Effort::normal:
      return {.tolerance = 5e-3,
              .psi_sweeps = 1,
              .source_rows = 4,
              .fewest_source = 4000,
              .races = true,
              .repeats = true};
    case Effort::thorough:
      break;
  }
  return {.tolerance = 0,
          .psi_sweeps = std::numeric_limits<int>::max(),
          .source_rows = 0,
          .fewest_source = 0,
          .races = false,
          .repeats = true};
}

double source_share(const Dataset& data, std::uint32_t target, const Thrift& thrift,
                    std::optional<double> given) {
  if (given) return *given;
  const auto own =
      static_cast<std::size_t>(std::count(data.domain.begin(), data.domain.end(), target));
  const std::size_t source = data.num_examples() - own;
  const std::size_t wanted = std::max(thrift.fewest_source, thrift.source_rows * own);
  if (thrift.source_rows == 0 || wanted >= source) return 1;
  return static_cast<double>(wanted) / static_cast<double>(source);
}

std::vector<bool> sample_source(const Dataset& data, std::uint32_t target, double share,
                                std::uint64_t seed) {
  std::vector<bool> kept(data.num_examples(), true);
  if (share >= 1) return kept;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    if (d == target) continue;
    std::vector<std::size_t> rows = data.rows_of(d);
    for (const std::size_t n : rows) kept[n] = false;
    if (std::ranges::any_of(rows, [&](std::size_t n) { return data.weight[n] > 0; })) {
      std::erase_if(rows, [&](std::size_t n) { return data.weight[n] <= 0; });
    }
    const auto count =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows.size())));
    Random random(seed + d);
    for (std::size_t i = 0; i < count; ++i) {  // Fisher and Yates, as far as needed
      const auto left = static_cast<std::uint32_t>(rows.size() - i);
      std::swap(rows[i], rows[i + random.below(left)]);
      kept[rows[i]] = true;
    }
  }
  return kept;
}

double weight_in_sample(double weight, double share) {
  if (weight <= 0 || weight >= 1) return weight;
  return 1 / (1 + share * (1 / weight - 1));
}

}  // namespace megadapt
