#pragma once

#include "megadapt/adaptation.hpp"

namespace megadapt {

/// UsageError when no system could learn from the rows: one label, or no weight.
void refuse_hopeless(const Dataset& data);

}  // namespace megadapt
