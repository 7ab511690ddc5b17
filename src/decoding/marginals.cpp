#include <algorithm>
#include <numeric>

#include "decoding/decoding.hpp"

namespace megadapt {
namespace {

std::vector<std::uint32_t> all_tags(std::uint32_t count) {
  std::vector<std::uint32_t> tags(count);
  std::iota(tags.begin(), tags.end(), 0);
  return tags;
}

// p(tag, allowed | previous, x_t): [E][Y].
void allowed_probabilities(const LocalModel& sentence, const TagTransitions& transitions,
                           std::size_t t, std::span<const std::uint32_t> previous,
                           std::vector<double>& p) {
  const std::size_t Y = sentence.num_tags();
  p.resize(previous.size() * Y);
  sentence.probabilities(t, previous, p);
  for (std::size_t e = 0; e < previous.size(); ++e) {
    const auto allowed = transitions.after(previous[e]);
    for (std::size_t y = 0; y < Y; ++y) p[e * Y + y] *= allowed[y];
  }
}

void normalise(std::span<double> values) {
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  for (double& value : values) value /= total;
}

// alpha_t(y) = P(y_t = y | x_1..t), up to a factor per token. Returns false if nothing is
// allowed. Local probabilities sum to 1, so without constraints these are the marginals.
bool forward(const LocalModel& sentence, const TagTransitions& transitions,
             std::vector<double>& alpha) {
  const std::size_t Y = sentence.num_tags();
  const auto tags = all_tags(sentence.num_tags());
  const std::uint32_t none = kNone;
  std::vector<double> p;
  double log_scale = 0;
  for (std::size_t t = 0; t < sentence.size(); ++t) {
    const auto previous = t == 0 ? std::span(&none, 1) : std::span(tags);
    allowed_probabilities(sentence, transitions, t, previous, p);
    double* now = alpha.data() + t * Y;
    std::fill(now, now + Y, 0);
    for (std::size_t e = 0; e < previous.size(); ++e) {
      const double before = t == 0 ? 1 : alpha[(t - 1) * Y + e];
      for (std::size_t y = 0; y < Y; ++y) now[y] += before * p[e * Y + y];
    }
    if (!rescale_by_largest({now, Y}, log_scale)) return false;
  }
  return true;
}

// beta_t(y) = P(the rest is allowed | y_t = y, x), multiplied into alpha. Returns false if
// no sequence is allowed.
bool backward(const LocalModel& sentence, const TagTransitions& transitions,
              std::vector<double>& alpha) {
  const std::size_t Y = sentence.num_tags();
  const auto tags = all_tags(sentence.num_tags());
  const auto end = transitions.at_end();
  std::vector<double> beta(end.begin(), end.end()), earlier(Y), p;
  double log_scale = 0;
  for (std::size_t t = sentence.size(); t-- > 0;) {
    double mass = 0;
    for (std::size_t y = 0; y < Y; ++y) mass += alpha[t * Y + y] *= beta[y];
    if (!(mass > 0)) return false;
    if (t == 0) break;
    allowed_probabilities(sentence, transitions, t, tags, p);
    for (std::size_t e = 0; e < Y; ++e) {
      earlier[e] = 0;
      for (std::size_t y = 0; y < Y; ++y) earlier[e] += p[e * Y + y] * beta[y];
    }
    if (!rescale_by_largest(earlier, log_scale)) return false;
    beta = earlier;
  }
  return true;
}

}  // namespace

std::vector<double> tag_marginals(const LocalModel& sentence,
                                  const TagTransitions& transitions) {
  const std::size_t Y = sentence.num_tags();
  std::vector<double> alpha(sentence.size() * Y);
  if (sentence.size() == 0) return alpha;
  bool possible = forward(sentence, transitions, alpha);
  if (possible && transitions.restricted()) {
    possible = backward(sentence, transitions, alpha);
  }
  if (!possible) forward(sentence, TagTransitions(sentence.num_tags()), alpha);
  for (std::size_t t = 0; t < sentence.size(); ++t) normalise({alpha.data() + t * Y, Y});
  return alpha;
}

}  // namespace megadapt
