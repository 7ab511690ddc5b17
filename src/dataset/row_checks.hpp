#pragma once

#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// UsageError, naming the domain, when a domain has no row with a weight on any rank.
void require_weight_in_every_domain(const Dataset& data, Communicator& ranks);

/// Throws UsageError when one file is given twice.
void refuse_repeated_files(const std::vector<DomainFile>& files);

/// Rows with the same features, values and label have the same key; others hardly ever do,
/// which a warning can bear.
std::size_t row_key(const Dataset& data, std::size_t n);

}  // namespace megadapt
