#pragma once

#include "megadapt/systems.hpp"

namespace megadapt {

const Adaptation& only_source_system();
const Adaptation& only_target_system();
const Adaptation& mix_system();
const Adaptation& weighted_mix_system();
const Adaptation& interpolation_system();
const Adaptation& source_features_system();
const Adaptation& prior_system();
const Adaptation& easy_adapt_system();
const Adaptation& mega_system();
const Adaptation& mega_loo_system();
const Adaptation& stack_system();

/// What `stack` combines.
std::vector<const Adaptation*> stack_members();
/// Members with a smaller weight would hardly be heard and are left out.
inline constexpr double kLeastMemberWeight = 1e-3;

}  // namespace megadapt
