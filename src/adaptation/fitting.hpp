#pragma once

#include <string>

#include "megadapt/adaptation.hpp"

namespace megadapt {

/// What every system passes on to a maximum entropy fit: prior, tolerance, optimiser, and
/// progress under the name of `stage`.
MaxentOptions maxent_options(const AdaptationOptions& options, const std::string& stage);

/// Tells the caller how a fit went, the mixture's after its experts'; throws NotConverged
/// where the options are strict.
void report_fit(const MaxentFit& fit, const AdaptationOptions& options);

}  // namespace megadapt
