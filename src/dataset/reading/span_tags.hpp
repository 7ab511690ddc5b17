#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// The parts of a span tag: `B-PER` is part B of type PER, `I` is part I without a type.
struct SpanTag {
  char part;  ///< B, I, E, S or O; 0 for a tag that marks no span
  std::string_view type;
};

SpanTag parse_span_tag(std::string_view tag);

struct TaggedSpan {
  std::size_t begin;
  std::size_t end;  ///< one past the last token
  std::string_view type;

  bool operator==(const TaggedSpan&) const = default;
};

/// Returns whether `tag` may follow `previous`. Before and after a sentence, pass O.
bool may_follow(const SpanTag& previous, const SpanTag& tag, TagScheme scheme);

/// Returns the scheme called `name`. For "" it is guessed from the labels of `data`; it is
/// TagScheme::none if the sentences break the guessed scheme, as those of IOB1 do.
TagScheme scheme_for(const Dataset& data, std::string_view name);

/// Returns the spans that a sentence's tags mark, as conlleval reads them: a span also
/// begins at an I or E that continues nothing, and where the type changes. So IOB1, IOB2
/// and IOBES are all read correctly. Tags that mark no span count as O.
std::vector<TaggedSpan> spans_of(std::span<const std::string_view> tags);

}  // namespace megadapt
