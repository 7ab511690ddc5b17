#pragma once

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Learns from the rows of all ranks how the recipe scales values, by TextWeights::tfidf and
/// columns of numbers, stores it in the schema, and scales the values of the rows.
void learn_scaling(Dataset& data, Communicator& ranks);

/// Scales the values of all rows.
void scale_values(SparseRows& rows, const Scaling& scaling);

}  // namespace megadapt
