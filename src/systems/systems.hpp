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
const System& mega_loo_system();
const System& stack_system();

/// Members of a combination with a smaller weight would hardly be heard and are left out.
inline constexpr double kLeastMemberWeight = 1e-3;

}  // namespace megadapt
