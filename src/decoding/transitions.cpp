#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "decoding/decoding.hpp"
#include "decoding/span_tags.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

constexpr std::array<std::string_view, 3> kSchemes{"none", "iob2", "iobes"};

// I and E go on with a span, which B or I of their type has begun. In iobes a span that has
// begun must end before anything else.
bool may_follow(const SpanTag& previous, const SpanTag& tag, TagScheme scheme) {
  const bool open = previous.part == 'B' || previous.part == 'I';
  const bool goes_on = tag.part == 'I' || tag.part == 'E';
  if (goes_on) return open && previous.type == tag.type;
  return !(open && scheme == TagScheme::iobes);
}

}  // namespace

TagScheme parse_scheme(std::string_view name) {
  const auto found = std::find(kSchemes.begin(), kSchemes.end(), name);
  if (found != kSchemes.end()) return static_cast<TagScheme>(found - kSchemes.begin());
  const std::string near = closest(name, kSchemes);
  throw UsageError(
      fmt::format("'{}' is not a tag scheme", name),
      near.empty() ? "use none, iob2 or iobes" : fmt::format("did you mean '{}'?", near));
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

TagTransitions::TagTransitions(std::uint32_t num_tags)
    : num_tags_(num_tags),
      restricted_(false),
      allowed_(std::size_t{num_tags + 2} * num_tags, 1) {}

TagTransitions::TagTransitions(std::span<const std::string> tags, TagScheme scheme)
    : TagTransitions(static_cast<std::uint32_t>(tags.size())) {
  if (scheme == TagScheme::none) return;
  restricted_ = true;
  std::vector<SpanTag> parsed;
  for (const std::string& tag : tags) parsed.push_back(parse_span_tag(tag));
  const SpanTag outside{.part = 'O', .type = {}};  // what lies before and after a sentence
  auto next = allowed_.begin();
  for (const SpanTag& previous : parsed) {
    for (const SpanTag& tag : parsed) *next++ = may_follow(previous, tag, scheme);
  }
  for (const SpanTag& tag : parsed) *next++ = may_follow(outside, tag, scheme);
  for (const SpanTag& tag : parsed) *next++ = may_follow(tag, outside, scheme);
}

}  // namespace megadapt
