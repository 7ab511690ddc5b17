#pragma once

#include "megadapt/adaptation.hpp"

namespace megadapt {

const Adaptation& only_source_system();
const Adaptation& only_target_system();
const Adaptation& mix_system();
const Adaptation& weighted_mix_system();
const Adaptation& mega_system();
const Adaptation& mega_loo_system();

}  // namespace megadapt
