#pragma once

#include "megadapt/dataset.hpp"

namespace megadapt {

/// UsageError, naming the domain, when a domain has no row with a weight on any rank.
void require_weight_in_every_domain(const Dataset& data, Communicator& ranks);

}  // namespace megadapt
