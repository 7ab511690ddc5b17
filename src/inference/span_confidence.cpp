#include "inference/span_confidence.hpp"

#include <algorithm>

#include "dataset/reading/span_tags.hpp"

namespace megadapt {
namespace {

// The probability that the tag after `last` continues its span: an I or E of its type.
double continued(const std::vector<std::string>& labels, std::span<const double> p,
                 std::uint32_t last) {
  const SpanTag span = parse_span_tag(labels[last]);
  if (span.part == 'E' || span.part == 'S') return 0;
  double sum = 0;
  for (std::size_t y = 0; y < labels.size(); ++y) {
    const SpanTag next = parse_span_tag(labels[y]);
    if ((next.part == 'I' || next.part == 'E') && next.type == span.type) sum += p[y];
  }
  return sum;
}

}  // namespace

std::vector<ConfidentSpan> span_confidence(const Tagger::Worker& worker,
                                           const std::vector<std::string>& labels,
                                           const TagSequence& sequence) {
  const auto marks_span = [](const std::string& tag) {
    return parse_span_tag(tag).part != 0;
  };
  if (!std::ranges::all_of(labels, marks_span)) return {};
  std::vector<std::string_view> names;
  for (const std::uint32_t tag : sequence.tags) names.push_back(labels[tag]);
  const std::size_t Y = labels.size();
  const std::vector<double> marginal = worker.marginals();
  std::vector<double> p(Y);
  std::vector<ConfidentSpan> all;
  for (const TaggedSpan& span : spans_of(names)) {
    double probability = marginal[span.begin * Y + sequence.tags[span.begin]];
    for (std::size_t t = span.begin + 1; t < span.end; ++t) {
      worker.probabilities(t, sequence.tags[t - 1], p);
      probability *= p[sequence.tags[t]];
    }
    if (span.end < names.size()) {
      worker.probabilities(span.end, sequence.tags[span.end - 1], p);
      probability *= 1 - continued(labels, p, sequence.tags[span.end - 1]);
    }
    all.push_back({span.begin, span.end, std::string(span.type), probability});
  }
  return all;
}

}  // namespace megadapt
