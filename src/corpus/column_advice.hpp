#pragma once

#include <string>

#include "corpus/columns.hpp"
#include "corpus/records.hpp"

namespace megadapt::corpus {

/// Returns the options to type for a table without columns of the usual names, such as
/// "add --text-column review --label-column sentiment". The text is the column with the
/// longest values. The label is the one with a usual name ("class", "sentiment"), or else
/// the one with the fewest distinct values. For a table without a header it says how to
/// write one. With `names_fixed`, for a loaded model, it says how to rename the columns.
std::string column_advice(const TableSample& sample, const Columns& columns, bool labelled,
                          bool names_fixed);

}  // namespace megadapt::corpus
