// Plain text: one sentence per line, tokens separated by spaces.

#include <fmt/format.h>

#include <utility>

#include "corpus/fields.hpp"
#include "sentences/readers.hpp"

namespace megadapt::sentences {
namespace {

class TextSentences final : public LineSentences {
 public:
  TextSentences(corpus::LineReader lines, const SentenceOptions& options)
      : LineSentences(std::move(lines), SentenceFormat::text, options) {}

 private:
  bool read(Sentence& sentence) override {
    for (std::string_view line; next_line(sentence, line);) {
      if (is_blank(line) || is_document(sentence, line)) continue;
      begin_tokens(sentence);
      take_tokens(sentence, line);
      return true;
    }
    return false;
  }

  void skip_rest(Sentence& sentence) override {
    sentence.forms.clear();
    sentence.line_ends.clear();
    sentence.line_is_token.clear();
  }

  // Only lines that name a document are comments: text may also begin with `#`.
  bool is_document(Sentence& sentence, std::string_view line) {
    return (line.starts_with("# doc = ") || line.starts_with("# newdoc id = ")) &&
           take_comment(sentence, line);
  }

  void take_tokens(Sentence& sentence, std::string_view line) {
    const Slice whole = slice(sentence, line);
    std::string_view rest(sentence.bytes.data() + whole.begin, whole.size);
    while (!(rest = corpus::skip_separators(rest)).empty()) {
      const std::string_view form = corpus::take_field(rest);
      sentence.forms.push_back(form);
      sentence.line_ends.push_back(
          static_cast<std::size_t>(form.data() + form.size() - sentence.bytes.data()));
      sentence.line_is_token.push_back(true);
      if (sentence.forms.size() > kMostTokens) {
        fail(fmt::format("a sentence of more than {} tokens", kMostTokens),
             "write one sentence a line");
      }
    }
    set_tokens(sentence);
  }
};

}  // namespace

void refuse_untagged(const std::string& file, const SentenceOptions& options) {
  if (!options.labelled || options.recase) return;
  throw InputError(
      {file}, "plain text has no tags to learn from or to compare with",
      "give columns, TOKEN<TAB>TAG on each line; 'megadapt tag' tags text; only --task "
      "recap learns from text");
}

std::unique_ptr<SentenceReader> read_text(corpus::LineReader lines,
                                          const SentenceOptions& options) {
  refuse_untagged(lines.file(), options);
  return std::make_unique<TextSentences>(std::move(lines), options);
}

}  // namespace megadapt::sentences
