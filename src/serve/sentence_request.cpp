#include <fmt/format.h>

#include <algorithm>

#include "serve/json_request.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

constexpr const char* kMarkSpan =
    R"(mark the span: {"text": "we saw [the mayor] here"}, or "tokens" with "start" and "end")";

/// The contents of a sentence, before they are copied into its own storage.
struct SentenceParts {
  std::vector<std::string> tokens = {};
  std::optional<std::size_t> start = {};  // first token of the span
  std::optional<std::size_t> end = {};    // last token of the span
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

Sentence to_sentence(const RequestRow& row, const Tagger& tagger) {
  const bool spans = tagger.task().spans();
  SentenceParts parts = parts_of(row, spans);
  TokenList list{.tokens = std::move(parts.tokens)};
  for (const std::string& name : sentence_columns(tagger.task())) {
    const auto given = row.token_columns.find(name);
    if (given == row.token_columns.end()) continue;
    if (given->second.size() != list.tokens.size()) {
      throw Refusal{400,
                    fmt::format("\"{}\" has {} entries for {} tokens", name,
                                given->second.size(), list.tokens.size()),
                    "give one entry per token; write \"_\" for one that is not known"};
    }
    list.columns[name] = given->second;
  }
  if (spans) list.span = {*parts.start, *parts.end + 1};
  return tagger.sentence(list);
}

RowSentences split_text(const std::string& text, const Tagger& tagger) {
  RowSentences row;
  row.spaces.emplace_back();
  const auto reader = tagger.open_text(text);
  Sentence sentence;
  for (; reader->next(sentence); sentence = {}) {
    const std::vector<std::string> spaces = spaces_of(sentence);
    row.spaces.back() += spaces.front();
    row.spaces.insert(row.spaces.end(), spaces.begin() + 1, spaces.end());
    row.sentences.push_back(std::move(sentence));
  }
  if (row.sentences.empty()) {
    throw Refusal{400, "the sentence has no words", "send at least one token"};
  }
  row.spaces.back() += sentence.raw;  // what follows the last sentence
  return row;
}

}  // namespace

std::vector<std::string> sentence_columns(const TaskOptions& task) {
  return task.columns.extra_names();
}

RowSentences to_sentences(const RequestRow& row, const Tagger& tagger) {
  if (row.text && row.token_columns.empty() && !tagger.task().spans()) {
    return split_text(*row.text, tagger);
  }
  RowSentences one;
  one.sentences.push_back(to_sentence(row, tagger));
  return one;
}

}  // namespace megadapt::serve
