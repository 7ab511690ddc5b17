#include "corpus/fields.hpp"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace megadapt::corpus {
namespace {

constexpr std::size_t kBlock = 64;

// Sets bit i when from[i] is a separator.
std::uint64_t separators(const char* from) {
  std::uint64_t bits = 0;
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(' ');
  const __m128i tab = _mm_set1_epi8('\t');
  for (std::size_t i = 0; i < kBlock; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    const __m128i found =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, tab));
    bits |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(found))} << i;
  }
#else
  for (std::size_t i = 0; i < kBlock; ++i) {
    bits |= std::uint64_t{is_separator(from[i])} << i;
  }
#endif
  return bits;
}

}  // namespace

// Fields are short and vary in length, so a branch per field would be mispredicted most of
// the time. One pass marks the separators, which also bounds the number of fields. A second
// pass walks over the marks; an empty field is overwritten by the next one.
void FieldSplitter::split(std::string_view text, std::vector<NamedFeature>& fields) {
  separators_.clear();
  std::size_t marks = 0;
  for (std::size_t at = 0; at < text.size(); at += kBlock) {
    std::uint64_t bits = separators(text.data() + at);
    const std::size_t left = text.size() - at;
    if (left < kBlock) bits &= (std::uint64_t{1} << left) - 1;
    marks += static_cast<std::size_t>(std::popcount(bits));
    separators_.push_back(bits);
  }

  fields.resize(marks + 1);
  NamedFeature* to = fields.data();
  const char* start = text.data();
  const auto put = [&](const char* end) {
    *to = {{start, static_cast<std::size_t>(end - start)}, 1};
    to += end != start;
  };
  const char* block = text.data();
  for (std::uint64_t bits : separators_) {
    for (; bits != 0; bits &= bits - 1) {
      const char* end = block + std::countr_zero(bits);
      put(end);
      start = end + 1;
    }
    block += kBlock;
  }
  put(text.data() + text.size());
  fields.resize(static_cast<std::size_t>(to - fields.data()));
}

std::string_view take_field(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && !is_separator(text[end])) ++end;
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(end);
  return field;
}

std::string_view skip_separators(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_separator(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace megadapt::corpus
