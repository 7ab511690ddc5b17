#include "sentences/line_sentences.hpp"

#include <fmt/format.h>

#include <utility>

#include "corpus/columns.hpp"
#include "corpus/fields.hpp"
#include "sentences/case.hpp"

namespace megadapt::sentences {
namespace {

constexpr std::size_t kLongestShown = 400;

}  // namespace

bool is_blank(std::string_view line) { return corpus::skip_separators(line).empty(); }

bool is_key_value(std::string_view line, std::string_view& key, std::string_view& value) {
  if (!line.starts_with('#') || line.find('\t') != line.npos) return false;
  const std::size_t equals = line.find('=');
  if (equals == line.npos) return false;
  key = corpus::trimmed(line.substr(1, equals - 1));
  value = corpus::trimmed(line.substr(equals + 1));
  const bool words = key.find(' ') != key.npos;
  return !key.empty() && (!words || key == "newdoc id" || key == "newpar id");
}

LineSentences::LineSentences(corpus::LineReader lines, SentenceFormat format,
                             const SentenceOptions& options)
    : options_(options), lines_(std::move(lines)), format_(format) {}

bool LineSentences::next(Sentence& sentence) {
  reset(sentence);
  for (bool got = false;;) {
    if (!read_or_skip(sentence, got)) continue;
    finish(sentence);
    found_ += got;
    if (!got && found_ == 0 && options_.labelled) {
      throw InputError({lines_.file()}, "has no sentences",
                       skipped_ > 0 ? "all of its sentences are bad; without "
                                      "--skip-bad-lines the first one is explained"
                                    : "give a file with at least one sentence");
    }
    return got;
  }
}

// Returns false when a bad sentence was skipped and the next one should be read.
bool LineSentences::read_or_skip(Sentence& sentence, bool& got) {
  try {
    got = read(sentence);
    return true;
  } catch (const BadSentence&) {
    if (!options_.skip_bad) throw;
  } catch (const InputError&) {
    if (!options_.skip_bad || !lines_.skip_bad_line()) throw;
    const std::string_view stored = lines_.stored();
    sentence.bytes.insert(sentence.bytes.end(), stored.begin(), stored.end());
  }
  ++skipped_;
  for (;;) {
    try {
      skip_rest(sentence);
      break;
    } catch (const InputError&) {  // another bad line of the same sentence
      if (!lines_.skip_bad_line()) throw;
      const std::string_view stored = lines_.stored();
      sentence.bytes.insert(sentence.bytes.end(), stored.begin(), stored.end());
    }
  }
  comments_.clear();
  return false;
}

void LineSentences::reset(Sentence& sentence) {
  sentence.tokens.clear();
  sentence.forms.clear();
  for (auto& column : sentence.columns) column.clear();
  sentence.tags.clear();
  sentence.is_span = false;
  sentence.span_begin = sentence.span_end = 0;
  sentence.document.clear();
  sentence.id = {};
  sentence.comments.clear();
  sentence.line = 0;
  sentence.line_ends.clear();
  sentence.line_is_token.clear();
  sentence.bytes.clear();
  sentence.decoded.clear();
  comments_.clear();
}

Place LineSentences::place() const {
  return {lines_.file(), lines_.line_number(), std::string(text_.substr(0, kLongestShown))};
}

bool LineSentences::next_line(Sentence& sentence, std::string_view& line) {
  text_ = {};
  if (!lines_.next(line)) return false;
  text_ = line;
  const std::string_view stored = lines_.stored();
  sentence.bytes.insert(sentence.bytes.end(), stored.begin(), stored.end());
  return true;
}

LineSentences::Slice LineSentences::slice(const Sentence& sentence,
                                          std::string_view part) const {
  const std::string_view stored = lines_.stored();
  const auto within = static_cast<std::size_t>(part.data() - stored.data());
  return {sentence.bytes.size() - stored.size() + within, part.size()};
}

bool LineSentences::take_comment(Sentence& sentence, std::string_view line) {
  std::string_view key, value;
  if (is_key_value(line, key, value)) {
    comments_.emplace_back(slice(sentence, key), slice(sentence, value));
    if (key == "doc" || key == "newdoc id") begin_document(value);
    return true;
  }
  if (corpus::trimmed(line) == "# newdoc") {
    begin_document("");
    return true;
  }
  return false;
}

void LineSentences::begin_document(std::string_view name) {
  document_ =
      name.empty() ? fmt::format("document {}", ++unnamed_documents_) : std::string(name);
}

void LineSentences::begin_tokens(Sentence& sentence) const {
  sentence.document = document_;
  sentence.line = lines_.line_number();
}

void LineSentences::set_tokens(Sentence& sentence) {
  if (!options_.recase) {
    sentence.tokens = sentence.forms;
    return;
  }
  const bool with_tags = options_.labelled || options_.tags_optional;
  lowered_.clear();
  lowered_ends_.clear();
  for (const std::string_view form : sentence.forms) {
    append_lower(form, lowered_);
    lowered_ends_.push_back(lowered_.size());
    if (with_tags) sentence.tags.push_back(case_class(form));
  }
  sentence.decoded.assign(lowered_.begin(), lowered_.end());
  std::size_t begin = 0;
  for (const std::size_t end : lowered_ends_) {
    sentence.tokens.emplace_back(sentence.decoded.data() + begin, end - begin);
    begin = end;
  }
}

void LineSentences::finish(Sentence& sentence) {
  sentence.raw = {sentence.bytes.data(), sentence.bytes.size()};
  for (const auto& [key, value] : comments_) {
    sentence.comments.emplace_back(view(sentence, key), view(sentence, value));
    if (sentence.comments.back().first == "sent_id") {
      sentence.id = sentence.comments.back().second;
    }
  }
}

void LineSentences::fail(const std::string& problem, const std::string& fix) const {
  throw BadSentence(place(), problem, fix);
}

}  // namespace megadapt::sentences
