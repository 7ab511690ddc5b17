#pragma once

#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// Returns the data with the domains of its rows dealt out anew at random: each domain keeps
/// its number of rows, and nothing else changes.
Dataset with_permuted_domains(Dataset data, std::uint64_t seed);

/// Fits every system of a comparison again, on rows with permuted domains and with the
/// settings that the comparison chose, and fills in SystemResult::permuted. A gain that
/// remains does not come from the domains (Joshi et al. 2012, "Multi-domain learning: when
/// do domains matter?").
void run_control(const Dataset& train, std::uint32_t target, const Dataset* test,
                 const std::vector<Split>& splits, std::uint64_t seed,
                 const Execution& exec, Comparison& comparison);

}  // namespace megadapt
