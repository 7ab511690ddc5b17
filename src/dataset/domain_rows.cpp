#include "dataset/domain_rows.hpp"

#include <fmt/format.h>

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

}  // namespace megadapt
