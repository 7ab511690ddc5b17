#pragma once

#include "base/option_table.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {

/// Every option that changes what a system learns, in the order of --help. Command line,
/// `--set`, Python, tuning, provenance and digests are made from it.
const OptionTable<Options>& option_table();

/// What every system reads: the prior's variance and what the optimiser is told.
std::vector<std::string> solver_options();
std::vector<std::string> solver_options_and(const std::vector<std::string>& more);

/// Whatever two fits must share to give the same model: the options that the system reads,
/// the members of a combination, and the seed.
std::string options_text(const System& system, const Options& options);

}  // namespace megadapt
