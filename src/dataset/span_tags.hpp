#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// A tag of a span, taken apart: `B-PER` is part B of type PER, `I` part I without a type.
struct SpanTag {
  char part;  ///< B, I, E, S or O; 0 for a tag that marks no span
  std::string_view type;
};

SpanTag parse_span_tag(std::string_view tag);

struct TaggedSpan {
  std::size_t begin;
  std::size_t end;  ///< behind the last token
  std::string_view type;

  bool operator==(const TaggedSpan&) const = default;
};

/// Whether `tag` may stand behind `previous`; before and after a sentence stands O.
bool may_follow(const SpanTag& previous, const SpanTag& tag, TagScheme scheme);

/// The scheme that constrains the tags of `data`: the one that `name` says; for "" the one
/// that its labels look like, unless its own tags break it (IOB1), then none.
TagScheme scheme_for(const Dataset& data, std::string_view name);

/// The spans that a sentence's tags mark, as conlleval reads them: a span also begins at an
/// I or E that continues nothing, and where the type changes. Every valid sequence of IOB1,
/// IOB2 and IOBES gives the spans it means. Tags that mark no span count as O.
std::vector<TaggedSpan> spans_of(std::span<const std::string_view> tags);

}  // namespace megadapt
