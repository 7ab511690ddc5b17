#include "features/span_head.hpp"

#include <algorithm>
#include <array>

namespace megadapt::features {
namespace {

constexpr std::array<std::string_view, 24> kEndsCoreTags = {
    "IN", "TO", "WDT", "WP", "WP$", "WRB",   "VBN",   "VBG",  "VBD", "VBZ", "VBP", "VB",
    "MD", ",",  ":",   ".",  "ADP", "-LRB-", "SCONJ", "VERB", "AUX", "RB",  "ADV", "CC"};
constexpr std::array<std::string_view, 8> kNounTags = {"PRP", "PRP$", "WP",    "EX",
                                                       "CD",  "PRON", "PROPN", "NUM"};
constexpr std::array<std::string_view, 30> kEndsCoreWords = {
    ",",     ":",      "of",    "in",     "on",    "at",  "for",     "with",
    "from",  "to",     "by",    "that",   "which", "who", "whom",    "whose",
    "where", "when",   "about", "into",   "over",  "as",  "between", "through",
    "after", "before", "under", "during", "and",   "("};

template <class List>
bool among(std::string_view word, const List& list) {
  return std::ranges::find(list, word) != list.end();
}

bool is_noun(std::string_view tag) { return tag.starts_with("N") || among(tag, kNounTags); }

}  // namespace

std::size_t span_head(const Sentence& sentence, const std::vector<std::string_view>* pos) {
  const auto tag = [&](std::size_t t) { return pos ? (*pos)[t] : std::string_view(); };
  std::size_t end = sentence.span_begin + 1;
  bool noun = is_noun(tag(sentence.span_begin));
  for (; end < sentence.span_end; ++end) {
    const bool ends = tag(end).empty() ? among(sentence.tokens[end], kEndsCoreWords)
                                       : noun && among(tag(end), kEndsCoreTags);
    if (ends) break;
    noun |= is_noun(tag(end));
  }
  for (std::size_t t = end; t > sentence.span_begin; --t) {
    if (is_noun(tag(t - 1))) return t - 1;
  }
  return end - 1;
}

}  // namespace megadapt::features
