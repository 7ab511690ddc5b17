#pragma once

#include "dataset/row_runs.hpp"
#include "dataset/select_rows.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::testing_support {

/// Returns this rank's share of the rows. Shares are scattered and uneven, and with many
/// ranks some are empty.
inline Dataset uneven_share(const Dataset& data, const Communicator& ranks) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const std::size_t owner = (n * n + n / 3) % static_cast<std::size_t>(ranks.size());
    if (owner == static_cast<std::size_t>(ranks.rank())) rows.push_back(n);
  }
  Dataset share = select_rows(data, rows);
  if (ranks.size() > 1) {
    share.runs = runs_of(std::vector<std::uint64_t>(rows.begin(), rows.end()));
  }
  return share;
}

}  // namespace megadapt::testing_support
