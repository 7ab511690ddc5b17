#pragma once

#include <string>

#include "megadapt/sentences.hpp"

namespace megadapt {

/// A token, or a marked span, as it is written and the words around it.
struct TokenContext {
  std::string before;
  std::string entity;
  std::string after;
  std::string text() const;  ///< "we saw [the old mayor] in town"
};

/// Row `t` of `sentence`, with up to `words` words on each side; "..." stands for more.
TokenContext token_context(const Sentence& sentence, std::size_t t, std::size_t words = 6);

}  // namespace megadapt
