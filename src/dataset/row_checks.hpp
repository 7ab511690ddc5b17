#pragma once

#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Throws UsageError when a domain has no row of positive weight on any rank.
void require_weight_in_every_domain(const Dataset& data, Communicator& ranks);

/// Throws UsageError when the same file is given twice.
void refuse_repeated_files(const std::vector<DomainFile>& files);

/// Returns a hash of the row's features, values and label. Different rows hardly ever have
/// the same key, which is good enough for a warning.
std::size_t row_key(const Dataset& data, std::size_t n);

/// Throws the UsageError about lines of features given to a model of text. Such a model
/// splits and normalises words, which would change the features.
[[noreturn]] void refuse_feature_lines();

}  // namespace megadapt
