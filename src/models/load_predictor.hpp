#pragma once

#include <memory>
#include <string>

#include "container/sections.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// Returns the predictor of this kind(), read from the sections that its save() wrote under
/// `prefix`. A predictor that consists of others calls this for each of them. Throws
/// ModelFileError.
PredictorPtr load_predictor(const std::string& kind, const SectionReader& in,
                            const std::string& prefix);

}  // namespace megadapt
