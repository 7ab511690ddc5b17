#pragma once

#include "megadapt/sequence.hpp"

namespace megadapt {

/// The templates of `task`, whose columns are known. Throws InputError.
FeatureTemplate template_of(const TaskOptions& task);

}  // namespace megadapt
