#pragma once

#include <cstdint>

#include "inference/stream.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {

/// How well a model of a task tags the labelled sentences, or labels the spans, of a
/// stream. Of a task whose rows are spans only `tokens` is filled: one row per span.
TaggingEvaluation score_sentences(const Tagger& tagger, SentenceStream& stream,
                                  std::uint64_t seed);

}  // namespace megadapt
