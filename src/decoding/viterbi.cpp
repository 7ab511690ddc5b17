#include <algorithm>
#include <cmath>
#include <optional>

#include "decoding/decoding.hpp"

namespace megadapt {
namespace {

// A first search with this beam is nearly always right. Its score bounds the exact search,
// which then drops most tags.
constexpr std::size_t kScouts = 2;

// Returns a generous bound on the rounding error of log probabilities summed over a
// sentence: one rounding of the sum per addition.
double rounding(std::size_t tokens, double log_probability) {
  return 1e-9 + 1e-15 * static_cast<double>(tokens) * (1 - log_probability);
}

// Sets `chosen` to the ids of the tags that score at least `least`, in ascending order. If
// there are more than `beam`, only the best `beam` are kept; 0 keeps all.
void choose_tags(std::span<const double> score, std::size_t beam, double least,
                 std::vector<std::uint32_t>& chosen) {
  chosen.clear();
  for (std::uint32_t y = 0; y < score.size(); ++y) {
    if (score[y] >= least) chosen.push_back(y);
  }
  if (beam == 0 || beam >= chosen.size()) return;
  const auto last = chosen.begin() + static_cast<std::ptrdiff_t>(beam);
  std::partial_sort(chosen.begin(), last, chosen.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return score[a] != score[b] ? score[a] > score[b] : a < b;
                    });
  chosen.erase(last, chosen.end());
  std::sort(chosen.begin(), chosen.end());
}

// Scores are products of probabilities, scaled at each token so that the best is 1. This
// needs no logarithms, and nothing underflows that could still be on the best path. Only
// back pointers are kept per token. Drops tags that no sequence with a score of at least
// `bound` can contain: a sequence is at most as probable as its beginning.
std::optional<TagSequence> search(const LocalModel& sentence,
                                  const TagTransitions& transitions, std::size_t beam,
                                  std::optional<double> bound = {}) {
  const std::size_t T = sentence.size();
  const std::uint32_t Y = sentence.num_tags();
  std::vector<std::uint32_t> alive{kNone};
  std::vector<std::uint32_t> back(T * Y);
  std::vector<double> score{1}, next(Y), p;
  TagSequence best;
  for (std::size_t t = 0; t < T; ++t) {
    p.resize(alive.size() * Y);
    sentence.probabilities(t, alive, p);
    std::fill(next.begin(), next.end(), -1);
    std::uint32_t* from = back.data() + t * Y;
    for (std::size_t e = 0; e < alive.size(); ++e) {
      const double before = alive[e] == kNone ? 1 : score[alive[e]];
      const auto allowed = transitions.after(alive[e]);
      for (std::uint32_t y = 0; y < Y; ++y) {
        const double candidate = before * p[e * Y + y] * allowed[y];
        from[y] = candidate > next[y] ? alive[e] : from[y];
        next[y] = candidate > next[y] ? candidate : next[y];
      }
    }
    if (t + 1 == T) {
      for (std::uint32_t y = 0; y < Y; ++y) next[y] *= transitions.at_end()[y];
    }
    if (!rescale_by_largest(next, best.log_probability)) return std::nullopt;
    score = next;
    const double least =
        bound ? std::exp(*bound - rounding(T, *bound) - best.log_probability) : 0;
    choose_tags(score, beam, least, alive);
  }
  best.tags.resize(T);
  if (T == 0) return best;
  best.tags[T - 1] = static_cast<std::uint32_t>(
      std::max_element(score.begin(), score.end()) - score.begin());
  for (std::size_t t = T - 1; t > 0; --t) best.tags[t - 1] = back[t * Y + best.tags[t]];
  return best;
}

}  // namespace

TagSequence best_tags(const LocalModel& sentence, const TagTransitions& transitions,
                      std::size_t beam) {
  if (auto near = search(sentence, transitions, beam == 0 ? kScouts : beam)) {
    if (beam != 0 || sentence.num_tags() <= kScouts) return *std::move(near);
    if (auto best = search(sentence, transitions, 0, near->log_probability)) {
      return *std::move(best);
    }
  }
  if (auto best = search(sentence, transitions, 0)) return *std::move(best);
  if (auto best = search(sentence, TagTransitions(sentence.num_tags()), 0)) {
    return *std::move(best);
  }
  throw NumericError("no sequence of tags has a probability above 0",
                     "check the model's weights and the values of the features");
}

double log_probability(const LocalModel& sentence, std::span<const std::uint32_t> tags) {
  std::vector<double> p(sentence.num_tags());
  std::uint32_t previous = kNone;
  double sum = 0;
  for (std::size_t t = 0; t < tags.size(); ++t) {
    sentence.probabilities(t, {&previous, 1}, p);
    sum += std::log(p[tags[t]]);
    previous = tags[t];
  }
  return sum;
}

}  // namespace megadapt
