#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sentences/prose_splitter.hpp"

namespace megadapt::sentences {

/// A part of a text between two boundaries of words (UAX #29).
struct Piece : TextSpan {
  enum class Kind : std::uint8_t { space, word, other };
  Kind kind = Kind::other;
};

/// Joins the pieces of one sentence to tokens and splits contractions.
std::vector<TextSpan> tokens_of(std::string_view text, const std::vector<Piece>& pieces,
                                const TokenRules& rules);

/// The length of the contraction at the end of a word that treebanks make a token of
/// (`n't`, `'s`, `'re`, `'ve`, `'ll`, `'d`, `'m`, the `not` of `cannot`). 0 if there is none
/// or if nothing comes before it.
std::size_t contraction_at_end(std::string_view word);

}  // namespace megadapt::sentences
