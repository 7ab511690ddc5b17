#include "dataset/reading/span_tags.hpp"

#include <algorithm>
#include <array>

#include "base/messages.hpp"

namespace megadapt {
namespace {

constexpr std::array<std::string_view, 3> kSchemes{"none", "iob2", "iobes"};
constexpr SpanTag kOutside{.part = 'O', .type = {}};
// If more than this share of the tags break a scheme, the data does not follow it; a few
// are annotation errors.
constexpr double kMostBroken = 0.01;

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

// Returns the share of tags, except O, that may not follow the tag before them.
double broken_share(const Dataset& data, TagScheme scheme) {
  std::vector<SpanTag> parsed;
  for (std::uint32_t y = 0; y < data.labels().size(); ++y) {
    parsed.push_back(parse_span_tag(data.labels().name(y)));
  }
  std::size_t broken = 0, tags = 0;
  for (std::size_t s = 0; s + 1 < data.sentence_begin.size(); ++s) {
    SpanTag previous = kOutside;
    for (std::size_t n = data.sentence_begin[s]; n < data.sentence_begin[s + 1]; ++n) {
      if (data.label[n] == kNone) continue;
      const SpanTag& tag = parsed[data.label[n]];
      broken += !may_follow(previous, tag, scheme);
      tags += data.labels().name(data.label[n]) != "O";
      previous = tag;
    }
  }
  return static_cast<double>(broken) / static_cast<double>(std::max<std::size_t>(1, tags));
}

}  // namespace

TagScheme parse_scheme(std::string_view name) {
  return static_cast<TagScheme>(index_of_name(name, kSchemes, "'{}' is not a tag scheme"));
}

std::string_view scheme_name(TagScheme scheme) {
  return kSchemes[static_cast<std::size_t>(scheme)];
}

TagScheme guess_scheme(std::span<const std::string> tags) {
  bool begins = false, ends = false;
  for (const std::string& tag : tags) {
    const SpanTag parsed = parse_span_tag(tag);
    if (parsed.part == 0) return TagScheme::none;
    begins |= parsed.part == 'B';
    ends |= parsed.part == 'E' || parsed.part == 'S';
  }
  return ends ? TagScheme::iobes : begins ? TagScheme::iob2 : TagScheme::none;
}

TagScheme scheme_for(const Dataset& data, std::string_view name) {
  if (!name.empty()) return parse_scheme(name);
  const TagScheme guess = guess_scheme(data.labels().names());
  if (guess == TagScheme::none) return guess;
  return broken_share(data, guess) > kMostBroken ? TagScheme::none : guess;
}

// I and E continue a span that B or I of the same type has begun. In iobes, a span that has
// begun must be ended by E.
bool may_follow(const SpanTag& previous, const SpanTag& tag, TagScheme scheme) {
  const bool open = previous.part == 'B' || previous.part == 'I';
  const bool goes_on = tag.part == 'I' || tag.part == 'E';
  if (goes_on) return open && previous.type == tag.type;
  return !(open && scheme == TagScheme::iobes);
}

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
