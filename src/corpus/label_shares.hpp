#pragma once

#include <algorithm>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// Puts the shares of a row's labels into their usual form: by name, each name once, none of
/// them 0, with the sum 1. Sets Row::label to the most probable label. Removes the shares if
/// only one label is left. The shares must be finite, at least 0 and not all 0.
inline void settle_shares(Row& row) {
  auto& shares = row.shares;
  if (shares.empty()) return;
  std::erase_if(shares, [](const NamedShare& one) { return !(one.share > 0); });
  std::ranges::sort(shares, {}, &NamedShare::label);
  auto kept = shares.begin();
  for (auto at = shares.begin() + 1; at != shares.end(); ++at) {
    if (at->label == kept->label) {
      kept->share += at->share;
    } else {
      *++kept = *at;
    }
  }
  shares.erase(kept + 1, shares.end());
  // Divide by the largest first, so that the sum of huge numbers is finite.
  const double most = std::ranges::max_element(shares, {}, &NamedShare::share)->share;
  double sum = 0;
  for (const NamedShare& one : shares) sum += one.share / most;
  for (NamedShare& one : shares) one.share = one.share / most / sum;
  row.label = std::ranges::max_element(shares, {}, &NamedShare::share)->label;
  if (shares.size() == 1) shares.clear();
}

}  // namespace megadapt::corpus
