#pragma once

#include "megadapt/systems.hpp"

namespace megadapt {

/// UsageError when no system could learn from the rows: one label, or no weight.
void refuse_hopeless(const Dataset& data, Communicator& ranks = serial_communicator());

/// UsageError when the system needs weights that the model does not have.
void require_former(const System& system, const FormerModel& former);

/// How many rows each domain has on all ranks together: [K].
std::vector<double> rows_per_domain(const Dataset& data, Communicator& ranks);

}  // namespace megadapt
