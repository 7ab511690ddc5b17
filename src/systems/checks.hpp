#pragma once

#include "megadapt/systems.hpp"

namespace megadapt {

/// UsageError when no system could learn from the rows: one label, or no weight.
void refuse_hopeless(const Dataset& data, Communicator& ranks = serial_communicator());

/// How many rows each domain has on all ranks together: [K].
std::vector<double> rows_per_domain(const Dataset& data, Communicator& ranks);

}  // namespace megadapt
