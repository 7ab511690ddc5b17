#pragma once

#include <string>

#include "megadapt/corpus.hpp"

namespace megadapt {

/// A token, or a marked span, as written in the input, and the words around it.
struct TokenContext {
  std::string before;
  std::string entity;
  std::string after;
  std::string text() const;  ///< "we saw [the old mayor] in town"
};

/// Token `t`, or the span, with up to `words` words on each side; "..." marks omitted ones.
TokenContext token_context(const Sentence& sentence, std::size_t t, std::size_t words = 6);

}  // namespace megadapt
