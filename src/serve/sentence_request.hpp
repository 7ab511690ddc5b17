#pragma once

#include "megadapt/classifier.hpp"
#include "serve/json_request.hpp"

namespace megadapt::serve {

/// The names of the lists beside "tokens" that a row of a model of this task may have.
std::vector<std::string> sentence_columns(const TaskOptions& task);

/// The sentence of a row with "tokens", or with "text", whose tokens are separated by white
/// space and whose span, where the task is about spans, stands in [brackets]. Throws
/// Refusal.
Sentence to_sentence(const RequestRow& row, const Tagger& tagger);

}  // namespace megadapt::serve
