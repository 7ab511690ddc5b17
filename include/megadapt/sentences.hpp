#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/error.hpp"

namespace megadapt {

/// docs/formats.md describes each: columns, CoNLL-U, one tokenised sentence a line, JSON
/// Lines with `tokens`.
enum class SentenceFormat { guess, conll, conllu, text, jsonl };

/// "conll", "conllu", "text", "jsonl"; UsageError with a suggestion for any other name.
SentenceFormat parse_sentence_format(std::string_view name);
std::string_view sentence_format_name(SentenceFormat format);

/// Which column of a CoNLL file holds what, as `--columns` gives it: names in the order of
/// the file (`token,pos,tag`; `-` for one that is not used), or NAME=COLUMN with a column
/// from 1, `last`, or a name of CoNLL-U (`token=FORM,tag=UPOS`). `token` and `tag` are the
/// two every task needs; templates use all others by their names.
struct ColumnChoice {
  struct Column {
    std::string name;
    int index = 0;  ///< from 0; -1 is the last
    bool operator==(const Column&) const = default;
  };
  std::vector<Column> columns;

  /// Throws UsageError for a name given twice or reserved, or a column that does not exist.
  static ColumnChoice parse(std::string_view text);
  std::string text() const;  ///< what parse() reads
  bool empty() const { return columns.empty(); }
  /// The names besides `token` and `tag`, in order.
  std::vector<std::string> extra_names() const;
  bool operator==(const ColumnChoice&) const = default;
};

/// One sentence, or one marked span in its sentence. All views point into the buffers of
/// the sentence itself: it may be moved, not copied, and is reused from call to call.
struct Sentence {
  Sentence() = default;
  Sentence(Sentence&&) = default;
  Sentence& operator=(Sentence&&) = default;

  std::vector<std::string_view> tokens;  ///< what features are made of
  std::vector<std::string_view> forms;   ///< as written; other than `tokens` for recap only
  /// [extra columns][tokens], in the order of ColumnChoice::extra_names(); an empty view
  /// where the value is `_` or not given.
  std::vector<std::vector<std::string_view>> columns;
  /// [tokens], or empty when the input has none; of a span its label alone.
  std::vector<std::string_view> tags;
  bool is_span = false;
  std::size_t span_begin = 0, span_end = 0;  ///< of a span; half open, unlike in the file
  std::string document;                      ///< empty when the input has no documents
  std::string_view id;                       ///< of a span, or `# sent_id = X`
  std::vector<std::pair<std::string_view, std::string_view>> comments;  ///< `# key = value`
  std::size_t line = 0;  ///< of the first token, from 1
  std::string_view raw;  ///< every byte from the end of the last sentence to the end of
                         ///< this one
  std::vector<std::size_t> line_ends;  ///< where in `raw` a predicted column goes
  std::vector<bool> line_is_token;     ///< [line_ends]; false: CoNLL-U ranges, empty nodes

  std::size_t size() const { return tokens.size(); }

  std::vector<char> bytes;    // of `raw`
  std::vector<char> decoded;  // tokens that are not in `raw` as they are
};

struct SentenceOptions {
  SentenceFormat format = SentenceFormat::guess;
  ColumnChoice columns = {};  ///< empty: by the number of columns, docs/formats.md
  bool labelled = true;       ///< false: a tag column may be missing
  /// With labelled = false: two columns are token and tag all the same, not token and pos.
  bool tags_optional = false;
  bool spans = false;     ///< JSON Lines name a span each (mention-type)
  bool recase = false;    ///< tokens are lower-cased, tags are classes of case (recap)
  bool skip_bad = false;  ///< leave out sentences that cannot be used and count them
  const std::atomic<bool>* stop = nullptr;
  bool digest = false;  ///< compute sha256(), for the provenance of a model
};

/// Reads one file sentence by sentence; memory does not grow with the file.
class SentenceReader {
 public:
  virtual ~SentenceReader() = default;
  /// Fills `sentence` and returns true, or returns false at the end; `sentence.raw` then
  /// holds what followed the last sentence. Throws InputError with the place for a sentence
  /// that cannot be used, unless options.skip_bad.
  virtual bool next(Sentence& sentence) = 0;
  virtual SentenceFormat format() const = 0;
  virtual const ColumnChoice& columns() const = 0;  ///< as given, or as found in the file
  virtual std::size_t skipped() const = 0;          ///< sentences left out as bad
  virtual Place place() const = 0;                  ///< of the line read last
  virtual std::string sha256() const = 0;           ///< as of RowReader
};

/// Opens `path` ("-" is standard input); gzip and zstd are recognised by content, and so is
/// the format unless `options` names one.
///
///     auto reader = open_sentences("news.conll.gz");
///     for (Sentence sentence; reader->next(sentence);) use(sentence);
std::unique_ptr<SentenceReader> open_sentences(const std::string& path,
                                               const SentenceOptions& options = {});

/// Appends `sentence` to `out` byte for byte as it was read, with `tags` as a new last
/// column; of text, `token_TAG`; of JSON Lines, as the new last member "predicted". Tags
/// are one per token, or the label of a span. Without tags it is a plain copy.
void append_tagged(const Sentence& sentence, SentenceFormat format,
                   const std::vector<std::string_view>& tags, std::string& out);

/// Appends a sentence of text with its tokens replaced, its spaces as they were.
void append_replaced(const Sentence& sentence, const std::vector<std::string>& tokens,
                     std::string& out);

/// Case mappings for any script, the same in every locale.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// The first character in title case, the others as they are.
std::string capitalized(std::string_view text);
/// "Punct", "Lowercase", "Capitalized", "AllUpper" or "Mixed": the classes of
/// recapitalisation.
std::string_view case_class(std::string_view form);

/// Lower-cased word -> its form of mixed case (`mccain` -> `McCain`).
using MixedForms = std::map<std::string, std::string>;

/// A lower-cased word in the case of a class of case_class(): Lowercase, Capitalized,
/// AllUpper, Punct, Mixed. A Mixed word takes the form that training knows, or is
/// capitalised where it knows none.
std::string recase(std::string_view lower, std::string_view case_class,
                   const MixedForms& forms);

/// Counts the forms of mixed case in training text.
class MixedFormCounter {
 public:
  void add(std::string_view lower, std::string_view form);
  /// The most frequent form of each word, of equals the first in byte order.
  MixedForms most_frequent() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>, std::less<>> count_;
};

/// One list of names, phrases of one or more words; matched without regard to case, the
/// longest phrase first.
struct Gazetteer {
  std::string name;
  std::string entries;  ///< one a line, words separated by spaces
  bool operator==(const Gazetteer&) const = default;
};

}  // namespace megadapt
