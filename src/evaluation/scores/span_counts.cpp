#include <cmath>

#include "base/random.hpp"
#include "dataset/reading/span_tags.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt {
namespace {

constexpr int kShuffles = 10000;

double ratio_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

bool mark_spans(std::span<const std::string> tags) {
  bool any = false;
  for (const std::string& tag : tags) {
    const char part = parse_span_tag(tag).part;
    if (part == 0) return false;
    any |= part != 'O';
  }
  return any;
}

SpanCounts& SpanCounts::operator+=(const SpanCounts& other) {
  right += other.right;
  gold += other.gold;
  predicted += other.predicted;
  return *this;
}

double SpanCounts::precision() const { return ratio_of(right, predicted); }
double SpanCounts::recall() const { return ratio_of(right, gold); }
double SpanCounts::f1() const { return ratio_of(2 * right, gold + predicted); }

std::map<std::string, SpanCounts> count_spans(std::span<const std::string_view> gold,
                                              std::span<const std::string_view> predicted) {
  const std::vector<TaggedSpan> truth = spans_of(gold);
  std::map<std::string, SpanCounts> counts;
  for (const TaggedSpan& span : truth) ++counts[std::string(span.type)].gold;
  auto next = truth.begin();  // both lists ascend, and spans do not overlap
  for (const TaggedSpan& span : spans_of(predicted)) {
    while (next != truth.end() && next->begin < span.begin) ++next;
    SpanCounts& of_type = counts[std::string(span.type)];
    ++of_type.predicted;
    of_type.right += next != truth.end() && *next == span;
  }
  return counts;
}

double f1_randomisation_p(std::span<const SpanCounts> a, std::span<const SpanCounts> b,
                          std::uint64_t seed) {
  std::vector<std::size_t> different;  // swapping any other sentence changes nothing
  SpanCounts all_a, all_b;
  for (std::size_t s = 0; s < a.size(); ++s) {
    all_a += a[s];
    all_b += b[s];
    if (a[s].right != b[s].right || a[s].predicted != b[s].predicted) {
      different.push_back(s);
    }
  }
  const double seen = std::abs(all_a.f1() - all_b.f1());
  Random random(seed);
  int as_large = 0;
  for (int shuffle = 0; shuffle < kShuffles; ++shuffle) {
    SpanCounts first = all_a, second = all_b;
    std::uint64_t coins = 0;
    for (std::size_t i = 0; i < different.size(); ++i) {
      if (i % 64 == 0) coins = random.next();
      const std::size_t s = different[i];
      if ((coins >> (i % 64) & 1) == 0) continue;
      first.right += b[s].right - a[s].right;  // unsigned wrap-around cancels out
      first.predicted += b[s].predicted - a[s].predicted;
      second.right += a[s].right - b[s].right;
      second.predicted += a[s].predicted - b[s].predicted;
    }
    // Swapping all sentences gives the same difference; rounding must not make it smaller.
    as_large += std::abs(first.f1() - second.f1()) >= seen - 1e-12;
  }
  return static_cast<double>(1 + as_large) / (1 + kShuffles);
}

}  // namespace megadapt
