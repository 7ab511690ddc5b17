#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "megadapt/sentences.hpp"

namespace megadapt::features {

/// The word a span is about: the last noun, pronoun or number before whatever follows the
/// core of the phrase (a preposition, a relative pronoun, a verb, a comma), by the tags of
/// `pos` (Penn or Universal). Without tags (`pos` null or empty) the core ends at a comma
/// or before an English preposition or relative pronoun, and the head is its last word.
std::size_t span_head(const Sentence& sentence, const std::vector<std::string_view>* pos);

}  // namespace megadapt::features
