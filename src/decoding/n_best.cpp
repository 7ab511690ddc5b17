#include <algorithm>
#include <cmath>
#include <numeric>

#include "decoding/decoding.hpp"

namespace megadapt {
namespace {

// A path that ends in some tag: its score, and the path it continues.
struct Path {
  double log_score;
  std::uint32_t previous;  // tag of the previous token; kNone for the first
  std::uint32_t rank;      // of the continued path among those to `previous`
};

// Orders sequences of equal score by their last tags, then by the tags before.
bool better(const Path& a, const Path& b) {
  if (a.log_score != b.log_score) return a.log_score > b.log_score;
  return a.previous != b.previous ? a.previous < b.previous : a.rank < b.rank;
}

void keep_best(std::vector<Path>& paths, std::size_t count) {
  const auto last =
      paths.begin() + static_cast<std::ptrdiff_t>(std::min(count, paths.size()));
  std::partial_sort(paths.begin(), last, paths.end(), better);
  paths.erase(last, paths.end());
}

using Paths = std::vector<std::vector<Path>>;  // [Y], each best first

// Returns the best paths to each tag of token t, given those to the previous token.
Paths step(const LocalModel& sentence, const TagTransitions& transitions, std::size_t t,
           const Paths& before, std::size_t count) {
  const std::uint32_t Y = sentence.num_tags();
  std::vector<std::uint32_t> previous{kNone};
  if (t > 0) {
    previous.resize(Y);
    std::iota(previous.begin(), previous.end(), 0);
  }
  std::vector<double> p(previous.size() * Y);
  sentence.probabilities(t, previous, p);
  Paths paths(Y);
  for (std::uint32_t y = 0; y < Y; ++y) {
    if (t + 1 == sentence.size() && transitions.at_end()[y] == 0) continue;
    for (std::size_t e = 0; e < previous.size(); ++e) {
      if (transitions.after(previous[e])[y] == 0) continue;
      const double log_p = std::log(p[e * Y + y]);
      for (std::uint32_t rank = 0; rank < before[e].size(); ++rank) {
        paths[y].push_back({before[e][rank].log_score + log_p, previous[e], rank});
      }
    }
    keep_best(paths[y], count);
  }
  return paths;
}

TagSequence trace(const std::vector<Paths>& paths, Path end) {
  const std::size_t T = paths.size();
  TagSequence sequence{std::vector<std::uint32_t>(T), end.log_score};
  for (std::size_t t = T; t > 0; --t) {
    sequence.tags[t - 1] = end.previous;
    end = paths[t - 1][end.previous][end.rank];
  }
  return sequence;
}

std::vector<TagSequence> search_best(const LocalModel& sentence,
                                     const TagTransitions& transitions, std::size_t count) {
  std::vector<Paths> paths;
  const Paths start{{Path{0, kNone, 0}}};
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    paths.push_back(step(sentence, transitions, t, t == 0 ? start : paths.back(), count));
  }
  std::vector<Path> ends;
  for (std::uint32_t y = 0; y < sentence.num_tags(); ++y) {
    for (std::uint32_t rank = 0; rank < paths.back()[y].size(); ++rank) {
      ends.push_back({paths.back()[y][rank].log_score, y, rank});
    }
  }
  keep_best(ends, count);
  std::vector<TagSequence> result;
  for (const Path& end : ends) result.push_back(trace(paths, end));
  return result;
}

}  // namespace

std::vector<TagSequence> n_best_tags(const LocalModel& sentence,
                                     const TagTransitions& transitions, std::size_t count) {
  if (count == 0) return {};
  if (sentence.size() == 0) return {TagSequence{}};
  auto best = search_best(sentence, transitions, count);
  if (!best.empty()) return best;
  return search_best(sentence, TagTransitions(sentence.num_tags()), count);
}

}  // namespace megadapt
