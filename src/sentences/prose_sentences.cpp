// Running text: a blank line ends a paragraph, ICU finds the sentences of a paragraph.

#include <algorithm>
#include <string>
#include <utility>

#include "sentences/prose_splitter.hpp"
#include "sentences/readers.hpp"

namespace megadapt::sentences {
namespace {

// A paragraph ends after this many bytes, so that memory does not depend on the file.
constexpr std::size_t kLongestParagraph = std::size_t{1} << 20;

class ProseSentences final : public LineSentences {
 public:
  ProseSentences(corpus::LineReader lines, const SentenceOptions& options)
      : LineSentences(std::move(lines), SentenceFormat::prose, options),
        splitter_(options.language, options.tokens, options.recase) {}

 private:
  bool read(Sentence& sentence) override {
    while (next_ == found_.size()) {
      if (!read_paragraph(sentence)) return false;
    }
    take(sentence);
    return true;
  }

  void skip_rest(Sentence&) override {}

  // Splits the lines up to the next blank one. `plain_` is a copy of `sentence.bytes` with
  // spaces in place of all that is not text: line ends, a byte order mark, a line that was
  // skipped.
  bool read_paragraph(Sentence& sentence) {
    plain_.assign(sentence.bytes.size(), ' ');
    bool any = false;
    for (std::string_view line; next_line(sentence, line);) {
      const Slice text = slice(sentence, line);
      plain_.resize(sentence.bytes.size(), ' ');
      std::ranges::copy(view(sentence, text), plain_.begin() + offset(text.begin));
      if (is_blank(line)) {
        if (any) break;
        continue;
      }
      any = true;
      if (plain_.size() >= kLongestParagraph) break;
    }
    if (!any) return false;
    found_ = splitter_.split(plain_);
    next_ = 0;
    if (found_.empty()) return true;  // nothing but white space that is not ASCII
    paragraph_ = std::exchange(sentence.bytes, {});
    begin_ = 0;
    begin_tokens(sentence);
    line_ = sentence.line - lines_in(0, paragraph_.size());
    if (paragraph_.back() == '\n') ++line_;
    return true;
  }

  // Hands out the next sentence. It ends where the next one begins, and with the paragraph.
  void take(Sentence& sentence) {
    const std::vector<TextSpan>& tokens = found_[next_++];
    const std::size_t end =
        next_ == found_.size() ? paragraph_.size() : found_[next_].front().begin;
    sentence.bytes.assign(paragraph_.begin() + offset(begin_),
                          paragraph_.begin() + offset(end));
    begin_tokens(sentence);
    sentence.line = line_ + lines_in(begin_, tokens.front().begin);
    line_ += lines_in(begin_, end);
    for (const TextSpan& token : tokens) {
      sentence.forms.push_back(
          view(sentence, {token.begin - begin_, token.end - token.begin}));
      sentence.line_ends.push_back(token.end - begin_);
      sentence.line_is_token.push_back(true);
    }
    begin_ = end;
    set_tokens(sentence);
  }

  std::size_t lines_in(std::size_t begin, std::size_t end) const {
    return static_cast<std::size_t>(std::count(paragraph_.begin() + offset(begin),
                                               paragraph_.begin() + offset(end), '\n'));
  }
  static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

  ProseSplitter splitter_;
  std::string plain_;
  std::vector<char> paragraph_;
  std::vector<std::vector<TextSpan>> found_;  // the sentences of the paragraph
  std::size_t next_ = 0;                      // the first that was not handed out
  std::size_t begin_ = 0;                     // where it begins, with the spaces before it
  std::size_t line_ = 0;                      // the number of the line at begin_
};

}  // namespace

std::unique_ptr<SentenceReader> read_prose(corpus::LineReader lines,
                                           const SentenceOptions& options) {
  refuse_untagged(lines.file(), options);
  return std::make_unique<ProseSentences>(std::move(lines), options);
}

}  // namespace megadapt::sentences
