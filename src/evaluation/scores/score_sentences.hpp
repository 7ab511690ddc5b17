#pragma once

#include <cstdint>

#include "inference/stream.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {

/// Scores a model's tags for the labelled sentences of a stream, or its labels for their
/// spans. For tasks whose rows are spans only `tokens` is filled, with one row per span.
/// `reliability` gets the probability of each tag of the best sequence, given the sentence.
TaggingEvaluation score_sentences(const Tagger& tagger, SentenceStream& stream,
                                  std::uint64_t seed, ReliabilityCounter& reliability);

}  // namespace megadapt
