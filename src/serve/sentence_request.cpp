#include "serve/sentence_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

constexpr const char* kMarkSpan =
    R"(mark the span: {"text": "we saw [the mayor] here"}, or "tokens" with "start" and "end")";

/// What a sentence is made of, before it has bytes of its own.
struct SentenceParts {
  std::vector<std::string> tokens = {};
  std::optional<std::size_t> start = {};  // of the span
  std::optional<std::size_t> end = {};    // its last token
};

void add_words(std::string_view text, std::vector<std::string>& words) {
  constexpr std::string_view kSpace = " \t\r\n\f\v";
  for (;;) {
    const std::size_t begin = text.find_first_not_of(kSpace);
    if (begin == text.npos) return;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

SentenceParts from_text(std::string_view text, bool spans) {
  SentenceParts parts;
  if (!spans) {
    add_words(text, parts.tokens);
    return parts;
  }
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == text.npos || close == text.npos || close < open) {
    throw Refusal{400, "the text marks no span", kMarkSpan};
  }
  add_words(text.substr(0, open), parts.tokens);
  parts.start = parts.tokens.size();
  add_words(text.substr(open + 1, close - open - 1), parts.tokens);
  if (parts.tokens.size() == *parts.start) {
    throw Refusal{400, "the span has no word", kMarkSpan};
  }
  parts.end = parts.tokens.size() - 1;
  add_words(text.substr(close + 1), parts.tokens);
  return parts;
}

SentenceParts parts_of(const RequestRow& row, bool spans) {
  SentenceParts parts{row.tokens, row.start, row.end};
  if (row.text) parts = from_text(*row.text, spans);
  if (parts.tokens.empty()) {
    throw Refusal{400, "the sentence has no words", "send at least one token"};
  }
  if (!spans) return parts;
  if (!parts.start || !parts.end) throw Refusal{400, "no span is given", kMarkSpan};
  if (*parts.end < *parts.start || *parts.end >= parts.tokens.size()) {
    throw Refusal{400,
                  fmt::format("the span {} to {} is not in the sentence of {} tokens",
                              *parts.start, *parts.end, parts.tokens.size()),
                  "count tokens from 0; \"end\" is the last token of the span"};
  }
  return parts;
}

/// Strings one after the other in the bytes of a sentence, handed out as views once all are
/// there.
class SentenceBytes {
 public:
  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  void move_into(Sentence& sentence) {
    sentence.decoded.assign(bytes_.begin(), bytes_.end());
  }
  std::vector<std::string_view> take(const Sentence& sentence, std::size_t count) {
    std::vector<std::string_view> views;
    for (; count > 0; --count, ++at_) {
      const std::size_t begin = at_ == 0 ? 0 : ends_[at_ - 1];
      views.emplace_back(sentence.decoded.data() + begin, ends_[at_] - begin);
    }
    return views;
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::string> sentence_columns(const TaskOptions& task) {
  return task.columns.extra_names();
}

void to_sentence(const RequestRow& row, const TaskOptions& task, Sentence& out) {
  const SentenceParts parts = parts_of(row, task.spans());
  const std::size_t T = parts.tokens.size();
  const bool recase = reading_for(task, false).recase;
  const std::vector<std::string> names = sentence_columns(task);
  SentenceBytes bytes;
  for (const std::string& form : parts.tokens) bytes.add(form);
  for (const std::string& form : parts.tokens) bytes.add(recase ? lower_case(form) : form);
  for (const std::string& name : names) {
    const auto given = row.columns.find(name);
    if (given == row.columns.end()) continue;
    if (given->second.size() != T) {
      throw Refusal{
          400,
          fmt::format("\"{}\" has {} entries for {} tokens", name, given->second.size(), T),
          "give one entry per token; write \"_\" for one that is not known"};
    }
    for (const std::string& value : given->second) bytes.add(value == "_" ? "" : value);
  }
  out = {};
  bytes.move_into(out);
  out.forms = bytes.take(out, T);
  out.tokens = bytes.take(out, T);
  for (const std::string& name : names) {
    out.columns.push_back(row.columns.contains(name) ? bytes.take(out, T)
                                                     : std::vector<std::string_view>(T));
  }
  out.is_span = task.spans();
  if (out.is_span) {
    out.span_begin = *parts.start;
    out.span_end = *parts.end + 1;
  }
}

}  // namespace megadapt::serve
