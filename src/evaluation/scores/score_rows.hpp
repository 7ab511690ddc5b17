#pragma once

#include <span>

#include "megadapt/comparison.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {

/// Adds predictions of further rows.
void append(const Predictions& more, Predictions& all);

/// Scores `predictions` against the labels of `rows`. Labels >= num_labels are unseen.
Evaluation evaluate_rows(const Dataset& data, RowIds rows, std::uint32_t num_labels,
                         const Predictions& predictions, std::uint64_t seed);

/// [rows]; 1 where the predicted label is the true one.
std::vector<std::uint8_t> hits(const Dataset& data, RowIds rows,
                               const Predictions& predictions);

/// Returns the counts of each sentence among `rows`; nothing if the tags mark no spans.
std::vector<SpanCounts> sentence_spans(const Dataset& data, RowIds rows,
                                       std::uint32_t num_labels,
                                       const Predictions& predictions);

double score(const Evaluation& evaluation, Criterion criterion);

/// Whether score a is better than score b by this criterion.
bool better(double a, double b, Criterion criterion);

}  // namespace megadapt
