#pragma once

#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Throws UsageError when one file is given twice.
void refuse_repeated_files(const std::vector<DomainFile>& files);

}  // namespace megadapt
