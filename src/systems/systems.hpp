#pragma once

#include "megadapt/systems.hpp"

namespace megadapt {

const System& only_source_system();
const System& only_target_system();
const System& mix_system();
const System& weighted_mix_system();
const System& interpolation_system();
const System& source_features_system();
const System& prior_system();
const System& easy_adapt_system();
const System& mega_system();
const System& pool_system();
const System& stack_system();

/// Members of a combination with a smaller weight are left out.
inline constexpr double kLeastMemberWeight = 1e-3;

/// Throws UsageError if no system could learn from the rows: one label, or no weight.
void refuse_hopeless(const Dataset& data, Communicator& ranks = serial_communicator());

/// Throws UsageError if the system needs weights that the former model does not have.
void require_former(const System& system, const FormerModel& former);

/// Returns the number of rows of each domain, over all ranks: [K].
std::vector<double> rows_per_domain(const Dataset& data, Communicator& ranks);

}  // namespace megadapt
