// CoNLL columns, one token per line, and CoNLL-U, which has ten columns of fixed meaning.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "corpus/fields.hpp"
#include "sentences/readers.hpp"

namespace megadapt::sentences {
namespace {

class ConllSentences final : public LineSentences {
 public:
  ConllSentences(corpus::LineReader lines, SentenceFormat format,
                 const SentenceOptions& options)
      : LineSentences(std::move(lines), format, options),
        conllu_(format == SentenceFormat::conllu) {}

 private:
  // The positions of the columns in the lines of this file.
  struct Layout {
    std::size_t width = 0;  // 0: no token line has been read yet
    bool tabs = true;
    std::size_t token = 0;
    std::size_t tag = kAbsent;
    std::vector<std::size_t> extra;
  };
  static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);

  bool read(Sentence& sentence) override {
    clear();
    for (std::string_view line; next_line(sentence, line);) {
      if (is_blank(line)) {
        if (!tokens_.empty()) return done(sentence);
      } else if (!is_comment(line)) {
        take_line(sentence, line);
      } else {
        take_comment(sentence, line);
      }
    }
    return !tokens_.empty() && done(sentence);
  }

  void skip_rest(Sentence& sentence) override {
    clear();
    sentence.line_ends.clear();
    sentence.line_is_token.clear();
    for (std::string_view line; next_line(sentence, line) && !is_blank(line);) {
    }
  }

  void clear() {
    tokens_.clear();
    tags_.clear();
    extra_.resize(layout_.extra.size());
    for (auto& column : extra_) column.clear();
  }

  // `#` may also be a token: a comment is a line that begins with `#` and lacks the columns
  // of a token.
  bool is_comment(std::string_view line) const {
    if (!line.starts_with('#')) return false;
    if (conllu_) return true;
    if (line.find('\t') != line.npos) return false;
    std::string_view key, value;
    if (is_key_value(line, key, value) && value.data() > line.data() &&
        line.find(" = ") != line.npos) {
      return true;
    }
    if (layout_.width == 0) return line.starts_with("# ");
    if (layout_.tabs) return layout_.width > 1;
    return line.starts_with("# ") && count_fields(line) != layout_.width;
  }

  static std::size_t count_fields(std::string_view line) {
    std::size_t count = 0;
    while (!(line = corpus::skip_separators(line)).empty()) {
      corpus::take_field(line);
      ++count;
    }
    return count;
  }

  void take_line(Sentence& sentence, std::string_view line) {
    if (layout_.width == 0) find_layout(line);
    split(line);
    if (fields_.size() != layout_.width) fail_ragged();
    sentence.line_ends.push_back(slice(sentence, line).begin + line.size());
    const bool is_token = !conllu_ || fields_[0].find_first_of("-.") == fields_[0].npos;
    sentence.line_is_token.push_back(is_token);
    if (!is_token) return;
    if (is_document_mark(sentence)) return;
    if (tokens_.empty()) begin_tokens(sentence);
    add_token(sentence);
  }

  // Returns whether the line is -DOCSTART-, the mark of CoNLL 2003 for the beginning of a
  // document. If so, it begins one.
  bool is_document_mark(Sentence& sentence) {
    if (conllu_ || fields_[layout_.token] != "-DOCSTART-") return false;
    begin_document("");
    sentence.line_is_token.back() = false;
    return true;
  }

  void add_token(const Sentence& sentence) {
    if (fields_[layout_.token].empty()) {
      fail("a token is empty",
           "write the token in its column; a blank line ends a sentence");
    }
    if (tokens_.size() == kMostTokens) {
      fail(fmt::format("a sentence of more than {} tokens", kMostTokens),
           "end every sentence with a blank line");
    }
    tokens_.push_back(slice(sentence, fields_[layout_.token]));
    if (layout_.tag != kAbsent) {
      if (options_.labelled && fields_[layout_.tag].empty()) {
        fail("a tag is empty", "write the tag of every token");
      }
      tags_.push_back(slice(sentence, fields_[layout_.tag]));
    }
    for (std::size_t c = 0; c < layout_.extra.size(); ++c) {
      extra_[c].push_back(layout_.extra[c] == kAbsent
                              ? Slice{}
                              : slice(sentence, fields_[layout_.extra[c]]));
    }
  }

  void split(std::string_view line) {
    fields_.clear();
    if (!layout_.tabs) {
      while (!(line = corpus::skip_separators(line)).empty()) {
        fields_.push_back(corpus::take_field(line));
      }
      return;
    }
    for (;;) {
      const std::size_t tab = line.find('\t');
      fields_.push_back(line.substr(0, tab));
      if (tab == line.npos) return;
      line.remove_prefix(tab + 1);
    }
  }

  void find_layout(std::string_view line) {
    layout_.tabs = conllu_ || line.find('\t') != line.npos;
    split(line);
    if (conllu_ && fields_.size() < kConlluColumns) {
      fail(fmt::format("{} columns where CoNLL-U has {}", fields_.size(), kConlluColumns),
           "separate the columns by tabs, or say --format conll");
    }
    if (fields_.size() == 1 && options_.labelled) {
      fail("there is only one column, so there is no tag",
           "write TOKEN<TAB>TAG, or TOKEN<TAB>POS<TAB>TAG, a line");
    }
    layout_.width = fields_.size();
    if (options_.columns.empty()) options_.columns = usual_columns(layout_.width);
    for (const ColumnChoice::Column& column : options_.columns.columns)
      place_column(column);
    if (options_.labelled && layout_.tag == kAbsent) {
      throw UsageError("--columns names no 'tag'", "write for example token,pos,tag");
    }
    const auto& extra = layout_.extra;
    // In a file without tags, `last` refers to some other column.
    const bool taken = layout_.tag == layout_.token ||
                       std::find(extra.begin(), extra.end(), layout_.tag) != extra.end();
    if (!options_.labelled && taken) layout_.tag = kAbsent;
    extra_.resize(layout_.extra.size());
  }

  void place_column(const ColumnChoice::Column& column) {
    std::size_t at =
        column.index < 0 ? layout_.width - 1 : static_cast<std::size_t>(column.index);
    if (at >= layout_.width) {
      if (column.name == "token" || options_.labelled) {
        layout_ = {};
        fail(fmt::format("no column {} for '{}': the line has {}", column.index + 1,
                         column.name, fields_.size()),
             "say with --columns which column holds what, for example token,pos,tag");
      }
      at = kAbsent;
    }
    if (column.name == "token") {
      layout_.token = at;
    } else if (column.name == "tag") {
      layout_.tag = at;
    } else {
      layout_.extra.push_back(at);
    }
  }

  // The default of --columns, by the number of columns: token; token tag; token pos tag;
  // token pos ... tag.
  ColumnChoice usual_columns(std::size_t width) const {
    if (conllu_) return ColumnChoice::parse("token=FORM,tag=UPOS");
    if (width == 1) return ColumnChoice::parse("token");
    if (!options_.labelled && !options_.tags_optional)
      return ColumnChoice::parse("token,pos");
    if (width == 2) return ColumnChoice::parse("token,tag");
    return ColumnChoice::parse(fmt::format("token,pos,tag={}", width));
  }

  [[noreturn]] void fail_ragged() const {
    fail(fmt::format("{} columns, where the lines before have {}", fields_.size(),
                     layout_.width),
         layout_.tabs ? "give every token the same columns, separated by tabs; write _ for "
                        "a value that is not known"
                      : "give every token the same columns; write _ for a value that is "
                        "not known");
  }

  bool done(Sentence& sentence) {
    sentence.tokens.reserve(tokens_.size());
    for (const Slice token : tokens_) sentence.tokens.push_back(view(sentence, token));
    sentence.forms = sentence.tokens;
    for (const Slice tag : tags_) sentence.tags.push_back(view(sentence, tag));
    sentence.columns.resize(extra_.size());
    for (std::size_t c = 0; c < extra_.size(); ++c) {
      for (const Slice field : extra_[c]) {
        const std::string_view value = view(sentence, field);
        sentence.columns[c].push_back(value == "_" ? std::string_view() : value);
      }
    }
    return true;
  }

  bool conllu_;
  Layout layout_;
  std::vector<std::string_view> fields_;
  std::vector<Slice> tokens_, tags_;
  std::vector<std::vector<Slice>> extra_;
};

}  // namespace

std::unique_ptr<SentenceReader> read_conll(corpus::LineReader lines, SentenceFormat format,
                                           const SentenceOptions& options) {
  return std::make_unique<ConllSentences>(std::move(lines), format, options);
}

}  // namespace megadapt::sentences
