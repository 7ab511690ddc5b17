#pragma once

#include "base/option_table.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {

/// Every option that changes what a system learns, in the order of --help. The command
/// line, `--set`, Python, tuning, provenance and digests all use this table.
const OptionTable<Options>& option_table();

/// The options that every system reads: those of the prior and of the optimiser.
std::vector<std::string> solver_options();
std::vector<std::string> solver_options_and(const std::vector<std::string>& more);

/// Returns everything that two fits must share to give the same model, as text: the options
/// that the system reads, the members of a combination, and the seed.
std::string options_text(const System& system, const Options& options);

}  // namespace megadapt
