#pragma once

#include <string>
#include <vector>

#include "megadapt/classifier.hpp"

namespace megadapt {

/// A span of tokens [begin, end) and the probability that the sentence has exactly it.
struct ConfidentSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string type = {};
  double probability = 0;
};

/// Returns the spans of a tag sequence for the sentence that `worker` read last. A span's
/// probability is that of all its tags, followed by a tag that does not continue it:
///     P(y_b | x) prod_t p(y_t | y_t-1, x) (1 - p(a tag that continues | y_e-1, x)).
/// Empty if the tags mark no spans.
std::vector<ConfidentSpan> span_confidence(const Tagger::Worker& worker,
                                           const std::vector<std::string>& labels,
                                           const TagSequence& sequence);

}  // namespace megadapt
