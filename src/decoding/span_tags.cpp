#include "decoding/span_tags.hpp"

namespace megadapt {
namespace {

constexpr SpanTag kOutside{.part = 'O', .type = {}};

bool closes(const SpanTag& previous, const SpanTag& tag) {
  if (previous.part == 'O') return false;
  if (previous.part == 'E' || previous.part == 'S') return true;
  return tag.part == 'B' || tag.part == 'S' || tag.part == 'O' || previous.type != tag.type;
}

bool opens(const SpanTag& previous, const SpanTag& tag) {
  if (tag.part == 'O') return false;
  if (tag.part == 'B' || tag.part == 'S') return true;
  return previous.part == 'O' || previous.part == 'E' || previous.part == 'S' ||
         previous.type != tag.type;
}

}  // namespace

SpanTag parse_span_tag(std::string_view tag) {
  constexpr std::string_view kParts = "BIESO";
  if (tag.empty() || kParts.find(tag[0]) == kParts.npos) return {.part = 0, .type = {}};
  if (tag.size() == 1) return {.part = tag[0], .type = {}};
  if (tag[0] == 'O' || tag[1] != '-' || tag.size() == 2) return {.part = 0, .type = {}};
  return {.part = tag[0], .type = tag.substr(2)};
}

std::vector<TaggedSpan> spans_of(std::span<const std::string_view> tags) {
  std::vector<TaggedSpan> spans;
  SpanTag previous = kOutside;
  for (std::size_t t = 0; t <= tags.size(); ++t) {
    SpanTag tag = t < tags.size() ? parse_span_tag(tags[t]) : kOutside;
    if (tag.part == 0) tag = kOutside;
    if (closes(previous, tag)) spans.back().end = t;
    if (opens(previous, tag)) spans.push_back({.begin = t, .end = t, .type = tag.type});
    previous = tag;
  }
  return spans;
}

}  // namespace megadapt
