#include <fmt/format.h>

#include <algorithm>

#include "megadapt/dataset.hpp"

namespace megadapt {

std::uint32_t Binning::bin(std::uint32_t id, float value) const {
  const auto first = edges.begin() + begin[id];
  const auto last = edges.begin() + begin[id + 1];
  return static_cast<std::uint32_t>(std::lower_bound(first, last, value) - first);
}

std::string Binning::bin_name(std::uint32_t id, std::uint32_t bin) const {
  return fmt::format("{}[{}/{}]", features.name(id), bin + 1, num_bins(id));
}

}  // namespace megadapt
