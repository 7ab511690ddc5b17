#include <algorithm>
#include <bit>

#include "megadapt/dataset.hpp"

namespace megadapt {

void RepeatedIds::start_row(std::size_t most_ids) {
  const std::size_t slots = std::bit_ceil(2 * most_ids);
  if (++row_ == 0 || table_.size() < slots) {  // 0: four thousand million rows later
    table_.assign(std::max(table_.size(), slots), 0);
    row_ = 1;
  }
}

}  // namespace megadapt
