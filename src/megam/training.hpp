#pragma once

#include "megam/weights.hpp"

namespace megadapt::megam {

/// Fits the rows of options.file and returns the weights. Reports progress and errors of
/// DEV and TEST rows on standard error, unless -quiet.
Weights train(const Options& options, const Execution& exec);

/// Prints a line CLASS<TAB>PROBABILITY... for each row of options.file, and the error rate on
/// standard error, unless -quiet.
void predict(const Options& options);

}  // namespace megadapt::megam
