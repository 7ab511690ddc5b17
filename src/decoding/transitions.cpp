#include "dataset/reading/span_tags.hpp"
#include "decoding/decoding.hpp"

namespace megadapt {

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
  const SpanTag outside{.part = 'O', .type = {}};  // assumed before and after a sentence
  auto next = allowed_.begin();
  for (const SpanTag& previous : parsed) {
    for (const SpanTag& tag : parsed) *next++ = may_follow(previous, tag, scheme);
  }
  for (const SpanTag& tag : parsed) *next++ = may_follow(outside, tag, scheme);
  for (const SpanTag& tag : parsed) *next++ = may_follow(tag, outside, scheme);
}

}  // namespace megadapt
