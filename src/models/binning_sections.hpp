#pragma once

#include "container/sections.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// The sections binning/ends and binning/bytes (names), binning/begin and binning/edges;
/// none of them when nothing is binned.
void add_binning(SectionWriter& out, const Binning& binning);

/// Throws ModelFileError when the sections do not fit each other.
Binning read_binning(const SectionReader& in);

}  // namespace megadapt
