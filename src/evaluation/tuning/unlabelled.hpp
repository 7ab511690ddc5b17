#pragma once

#include "evaluation/tuner.hpp"

namespace megadapt {

/// Returns the unlabelled rows, or sentences, without those that have the same features as
/// one of the `tested` rows. Returns `unlabelled` itself if all remain, and null if none
/// does.
std::shared_ptr<const Dataset> unlabelled_without(
    const std::shared_ptr<const Dataset>& unlabelled, const Dataset& tested, RowIds rows);

}  // namespace megadapt
