#pragma once

#include <string>
#include <vector>

#include "megadapt/selection.hpp"

namespace megadapt {

/// Facts for the reasons of a row, in addition to its judgement.
struct ReasonFacts {
  std::size_t like = 0;         ///< number of similar rows
  std::size_t features = 0;     ///< number of its features
  std::size_t unseen = 0;       ///< how many of them the model does not know
  std::string_view token = {};  ///< of a sentence: the token that was judged
};

/// Says in plain words why a row was chosen: "unsure: games 0.41, net 0.38".
std::vector<std::string> reasons_of(const Judgement& judgement, const RowJudge& judge,
                                    const std::vector<std::string>& labels,
                                    const ReasonFacts& facts, const char* kind);

}  // namespace megadapt
