#pragma once

#include "decoding/decoding.hpp"
#include "megadapt/selection.hpp"

namespace megadapt {

/// Judges a sentence without using its tags: tokens by their marginals, with the features of
/// the best sequence's previous tag. `Tokens` is EncodedSentence or DatasetSentence.
template <class Tokens>
SentenceJudgement judge_sentence(const Tokens& tokens, const TagTransitions& transitions,
                                 RowJudge& judge) {
  const std::size_t T = tokens.size(), Y = tokens.num_tags();
  const TagSequence best = best_tags(tokens, transitions);
  const std::vector<double> marginals = tag_marginals(tokens, transitions);
  SentenceJudgement whole;
  double sum = 0;
  for (std::size_t t = 0; t < T; ++t) {
    const TokenRow row = tokens.row_after(t, t == 0 ? kNone : best.tags[t - 1]);
    const Judgement token = judge(row.view(), std::span(marginals).subspan(t * Y, Y));
    sum += token.score;
    if (t > 0 && token.score <= whole.of_token.score) continue;
    whole.token = t;
    whole.of_token = token;
  }
  whole.score = sum / (static_cast<double>(T) + 2);
  return whole;
}

}  // namespace megadapt
