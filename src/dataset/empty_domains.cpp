#include "dataset/empty_domains.hpp"

#include <algorithm>

namespace megadapt {

void drop_empty_domains(Dataset& data, Communicator& ranks) {
  std::vector<double> rows(data.num_domains());
  for (const std::uint32_t d : data.domain) ++rows[d];
  ranks.sum(rows);
  if (std::find(rows.begin(), rows.end(), 0) == rows.end()) return;
  NameIndex kept;
  std::vector<std::uint32_t> new_id(rows.size(), kNone);
  for (std::uint32_t d = 0; d < rows.size(); ++d) {
    if (rows[d] > 0) new_id[d] = kept.add(data.domains().name(d));
  }
  for (std::uint32_t& d : data.domain) d = new_id[d];
  data.own_schema().domains = std::move(kept);
}

}  // namespace megadapt
