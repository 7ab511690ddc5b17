#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::features {

/// Returns the head word of a span: the last noun, pronoun or number in the core of the
/// phrase, by the tags of `pos` (Penn or Universal). The core ends before a preposition,
/// relative pronoun, verb or comma. Without tags (`pos` null or empty) it ends before a
/// comma or an English preposition or relative pronoun, and the head is its last word.
std::size_t span_head(const Sentence& sentence, const std::vector<std::string_view>* pos);

}  // namespace megadapt::features
