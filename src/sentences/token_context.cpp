#include "sentences/token_context.hpp"

#include <algorithm>

namespace megadapt {
namespace {

std::string joined(const Sentence& sentence, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) text += ' ';
    text += sentence.forms[i];
  }
  return text;
}

}  // namespace

std::string TokenContext::text() const {
  return before + (before.empty() ? "[" : " [") + entity + (after.empty() ? "]" : "] ") +
         after;
}

TokenContext token_context(const Sentence& sentence, std::size_t t, std::size_t words) {
  const std::size_t first = sentence.is_span ? sentence.span_begin : t;
  const std::size_t last = sentence.is_span ? sentence.span_end : t + 1;
  const std::size_t begin = first > words ? first - words : 0;
  const std::size_t end = std::min(sentence.size(), last + words);
  TokenContext context{joined(sentence, begin, first), joined(sentence, first, last),
                       joined(sentence, last, end)};
  if (begin > 0) context.before = "... " + context.before;
  if (end < sentence.size()) context.after += " ...";
  return context;
}

}  // namespace megadapt
