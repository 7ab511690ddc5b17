#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/error.hpp"
#include "megadapt/words.hpp"

namespace megadapt {

class LabelMap;

/// `text`: every line is a document without a label.
enum class Format { guess, megam, megam_fvals, libsvm, jsonl, csv, tsv, text };

/// Returns the format called "megam", "megam-fvals", "libsvm", "jsonl", "csv", "tsv" or
/// "text". For any other name it throws UsageError with a suggestion.
Format parse_format(std::string_view name);
std::string_view format_name(Format format);

inline constexpr int kMostHashBits = 31;

/// The value of a word that occurs c times in a text: 1, c, 1 + ln c, or
/// (1 + ln c) idf / m. A word in n of N training texts has idf = 1 + ln((1 + N) / (1 + n)),
/// and m is the mean idf of the words of the training texts.
enum class TextWeights { binary, counts, log_counts, tfidf };

/// "binary", "counts", "log-counts", "tfidf"; throws UsageError with a suggestion for
/// others.
TextWeights parse_text_weights(std::string_view name);
std::string_view text_weights_name(TextWeights weights);
std::span<const std::string_view> text_weights_names();

/// How text becomes features, and how features are named. A model stores it, so that
/// prediction reads input as training did.
struct TextOptions {
  int word_ngrams = 1;  ///< sequences of 1 up to this many words, joined by `_`
  int char_ngrams = 0;  ///< sequences of up to this many code points of a word; 0: none
  bool lower_case = true;
  int hash_bits = 0;  ///< > 0: the name becomes "#" and a hash below 2^hash_bits
  /// What counts as a word (docs/formats.md). 1: as in version 0.1. 2: symbols and emoji
  /// too, and `C++`, `C#`; text is normalised (NFC).
  int word_rules = 2;
  TextWeights weights = TextWeights::binary;
  /// A word also gives one feature for each of its classes: `class512=B17`.
  WordClasses classes = {};
  bool operator==(const TextOptions&) const = default;
};

/// What the columns of CSV and TSV and the fields of JSON Lines hold. A column that is not
/// chosen is found by its usual name: `label`, `text`, `group` or `doc`, `id`, `weight`,
/// `domain`. A model stores the choice.
struct ColumnNames {
  std::optional<std::string> label = {};
  std::vector<std::string> text = {};  ///< several are joined by a space
  std::optional<std::string> group = {};
  std::optional<std::string> id = {};
  std::optional<std::string> weight = {};
  std::optional<std::string> domain = {};
  /// Feature `NAME=(number)`, scaled by the mean and the deviation of the training rows.
  std::vector<std::string> numbers = {};
  std::vector<std::string> categories = {};  ///< feature `NAME=VALUE`
  bool operator==(const ColumnNames&) const = default;
};

/// Bytes [begin, end) of a file.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct ReadOptions {
  Format format = Format::guess;
  bool labelled = true;  ///< false: rows have no label (predict --no-labels)
  /// Without `labelled`: rows may still have a label, which goes to Row::label. In a line
  /// of features it is the first field if a tab follows it (in libsvm: if it has no colon).
  bool labels_optional = false;
  TextOptions text = {};
  ColumnNames columns = {};
  /// True: a column that `columns` names must exist. False: if it is missing, the column of
  /// the usual name takes its place.
  bool needs_columns = false;
  /// Columns that must exist in any case, named by their options: "text-column".
  std::vector<std::string> needed_columns = {};
  /// The columns cannot be named for this file alone; messages then ask for another header.
  bool columns_fixed = false;
  /// The rows are for a model of text: lines without labels are documents unless they have
  /// the form of a table or of JSON.
  bool expects_text = false;
  /// Leave Row::unmade set: the caller makes the features with FeatureMaker.
  bool defer_features = false;
  /// Once a signal has set this, a read that waits for a pipe throws Interrupted.
  const std::atomic<bool>* stop = nullptr;
  /// Renames and drops labels as rows are read. Must outlive the reader.
  LabelMap* label_map = nullptr;
  std::string domain = {};  ///< for the label map: the domain of rows that name none
  bool digest = false;      ///< compute sha256(), for the provenance of a model
  /// Read only the lines that begin in this range; there may be none. Requires a file that
  /// is not compressed, in which every line is a row, and a `format`.
  std::optional<ByteRange> range = {};

  bool needs_column(std::string_view option) const;
};

/// One feature of a row. The name is valid until the next row is read.
struct NamedFeature {
  std::string_view name;
  float value = 1;
};

/// A label that a row has with some probability. The name is valid until the next row is
/// read.
struct NamedShare {
  std::string_view label;
  double share = 0;
};

inline constexpr std::uint32_t kNone = 0xffffffff;

/// Names <-> ids, read-only, over memory that may be a mapped file. An open-addressing
/// table finds a name by its 64-bit hash; names of equal hash count as equal.
struct NameIndexView {
  std::span<const std::uint64_t> slots;  ///< [power of two][2]; hash, id + 1 (0: empty)
  std::span<const std::uint64_t> ends;   ///< [size]; the end of each name in `bytes`
  std::span<const char> bytes;

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  std::string_view name(std::uint32_t id) const;
  std::uint32_t find(std::string_view name) const;  ///< kNone when absent
  /// The ids of all features of a row. Much faster than one find() after another, because
  /// it prefetches the memory for all of them.
  void find_all(std::span<const NamedFeature> features,
                std::vector<std::uint32_t>& ids) const;
};

/// Names <-> ids, growing, with ids in order of first appearance. The bias is the feature
/// with the empty name, which no input can use.
class NameIndex {
 public:
  NameIndex() = default;
  /// A copy of names with their hash table, as view() gives them.
  explicit NameIndex(NameIndexView names);

  std::uint32_t add(std::string_view name);  ///< the id, whether new or known
  /// Adds the names of a row in order and sets `ids` to one id per feature.
  void add_all(std::span<const NamedFeature> features, std::vector<std::uint32_t>& ids);
  std::uint32_t find(std::string_view name) const { return view().find(name); }
  std::string_view name(std::uint32_t id) const { return view().name(id); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  NameIndexView view() const { return {slots_, ends_, bytes_}; }
  std::vector<std::string> names() const;

 private:
  void make_room(std::size_t names);
  std::uint32_t add(std::string_view name, std::uint64_t hash);

  std::vector<std::uint64_t> slots_;
  std::vector<std::uint64_t> ends_;
  std::vector<char> bytes_;
};

/// One example. All views are valid until the next row is read.
struct Row {
  std::string_view label;  ///< empty when unlabelled; with `shares`, the most probable one
  /// For a row with an uncertain label: every label with its probability, by name;
  /// otherwise empty. Only JSON Lines can have such labels.
  std::vector<NamedShare> shares;
  std::vector<NamedFeature> features;
  bool has_values = false;  ///< false: every value is 1
  double weight = 1;
  std::string_view domain;  ///< as JSON Lines may name it; else empty
  std::string_view id;      ///< likewise
  std::string_view group;   ///< likewise: the document or author, for example
  std::string_view text;    ///< that features were made of; else empty
  bool from_text = false;   ///< features were, or will be, made of `text`
  /// How many of the features come from columns of numbers and categories. These are the
  /// first ones.
  std::size_t columns = 0;
  /// Whether `features` still lacks those of `text`, and names are not hashed yet.
  bool unmade = false;
  std::size_t line = 0;  ///< from 1
  /// The row's place in its file, from 1; rows that a label map drops count, too.
  std::size_t number = 0;
};

/// Reads one file row by row, in memory that does not depend on the size of the file.
class RowReader {
 public:
  virtual ~RowReader() = default;
  /// Fills `row` and returns true, or returns false at the end. Throws InputError with the
  /// place of a row that cannot be used.
  virtual bool next(Row& row) = 0;
  virtual Format format() const = 0;
  /// The place of the row that was read last, for error messages.
  virtual Place place() const = 0;
  /// SHA-256 of the file as stored, in hex, once next() has returned false. Empty unless
  /// ReadOptions::digest is set.
  virtual std::string sha256() const = 0;
};

/// Opens `path` ("-" is standard input). Recognises gzip and zstd by content, and the
/// format too unless `options` names one. Throws InputError when the file cannot be read,
/// is a directory, is empty or has an unknown format.
///
///     auto reader = open_rows("news.txt.gz");
///     for (Row row; reader->next(row);) use(row);
std::unique_ptr<RowReader> open_rows(const std::string& path,
                                     const ReadOptions& options = {});

/// New names for labels, so that domains with different label sets can be learnt together.
/// A line of the file is OLD<TAB>NEW, or DOMAIN<TAB>OLD<TAB>NEW for one domain; NEW `-`
/// drops the rows of that label (docs/formats.md).
///
///     LabelMap map = LabelMap::read("labels.tsv");
///     auto reader = open_rows("news.txt", {.label_map = &map});
///     for (Row row; reader->next(row);) use(row);
///     for (const auto& rule : map.unused()) warn(rule);
class LabelMap {
 public:
  struct Rule {
    std::string domain;  ///< empty: every domain
    std::string label;
    std::string name;  ///< the new label; empty: drop the row
    std::size_t line = 0;
    bool operator==(const Rule&) const = default;
  };

  /// From rules that read() has accepted, such as those of a model.
  explicit LabelMap(const std::vector<Rule>& rules);
  /// Throws InputError for a line that is not a rule or contradicts an earlier rule.
  static LabelMap read(const std::string& path);

  /// Replaces the label of a row of `domain`. Returns false when the row must be dropped.
  /// A rule for the domain takes precedence over one for all domains. A label without a
  /// rule stays. New names are not mapped again. `label` is valid as long as the map.
  bool apply(std::string_view domain, std::string_view& label);
  /// The same for all labels of a row. A dropped label gives its share to the others.
  bool apply(std::string_view domain, Row& row);

  std::vector<Rule> rules() const;  ///< in the order of lines
  /// Rules whose label has not occurred, in the order of lines. `read_domains_only` omits
  /// the rules for domains of which no row was read.
  std::vector<Rule> unused(bool read_domains_only = false) const;
  std::size_t dropped() const { return dropped_; }  ///< the number of rows dropped

 private:
  LabelMap() = default;
  struct Target {
    std::string name;  // empty: drop
    std::size_t line = 0;
    std::size_t rows = 0;
  };
  struct DomainRules {
    std::map<std::string, Target, std::less<>> target;
    std::size_t rows = 0;  // read
  };
  Target* find(std::string_view domain, std::string_view label);
  bool rename(std::string_view domain, std::string_view& label);
  template <class Wanted>
  std::vector<Rule> rules_where(Wanted wanted) const;

  std::map<std::string, DomainRules, std::less<>> domains_;  // "": for every domain
  std::size_t dropped_ = 0;
};

/// Columns, CoNLL-U, one tokenised sentence per line, JSON Lines with `tokens`, and running
/// text, as docs/formats.md describes them.
enum class SentenceFormat { guess, conll, conllu, text, jsonl, prose };

/// "conll", "conllu", "text", "jsonl", "prose"; throws UsageError with a suggestion for any
/// other name.
SentenceFormat parse_sentence_format(std::string_view name);
std::string_view sentence_format_name(SentenceFormat format);

/// What the columns of a CoNLL file hold, as `--columns` gives it: names in the order of
/// the file (`token,pos,tag`, with `-` for an unused column), or NAME=COLUMN with a column
/// number from 1, `last`, or a name of CoNLL-U (`token=FORM,tag=UPOS`). Every task needs
/// `token` and `tag`; templates use the other columns by name.
struct ColumnChoice {
  struct Column {
    std::string name;
    int index = 0;  ///< from 0; -1 is the last
    bool operator==(const Column&) const = default;
  };
  std::vector<Column> columns;

  /// Throws UsageError for a name that is repeated or reserved, or an impossible column.
  static ColumnChoice parse(std::string_view text);
  std::string text() const;  ///< in the form that parse() reads
  bool empty() const { return columns.empty(); }
  /// The names other than `token` and `tag`, in order.
  std::vector<std::string> extra_names() const;
  bool operator==(const ColumnChoice&) const = default;
};

/// How running text is split into tokens where corpora differ. A model stores how its
/// training data was split.
struct TokenRules {
  bool split_contractions = false;  ///< `do n't`, `it 's` instead of `don't`, `it's`
  bool split_hyphens = false;       ///< `front - end` instead of `front-end`
  bool operator==(const TokenRules&) const = default;
};

/// One sentence, or one marked span in its sentence. All views point into buffers of the
/// sentence itself, so it can be moved but not copied. Readers reuse it from call to call.
struct Sentence {
  Sentence() = default;
  Sentence(Sentence&&) = default;
  Sentence& operator=(Sentence&&) = default;

  std::vector<std::string_view> tokens;  ///< the words that features are made of
  std::vector<std::string_view> forms;  ///< as written; differ from `tokens` only for recap
  /// [extra columns][tokens], in the order of ColumnChoice::extra_names(). Empty where the
  /// value is `_` or missing.
  std::vector<std::vector<std::string_view>> columns;
  /// [tokens], or empty when the input has no tags. For a span, just its label.
  std::vector<std::string_view> tags;
  bool is_span = false;
  std::size_t span_begin = 0, span_end = 0;  ///< the span, half open (unlike in the file)
  std::string document;                      ///< empty when the input has no documents
  std::string_view id;                       ///< the span's id, or X of `# sent_id = X`
  std::vector<std::pair<std::string_view, std::string_view>> comments;  ///< `# key = value`
  std::size_t line = 0;  ///< of the first token, from 1
  std::string_view raw;  ///< all bytes between the end of the last sentence and of this
  std::vector<std::size_t> line_ends;  ///< where to insert a predicted column into `raw`
  std::vector<bool> line_is_token;     ///< [line_ends]; false: CoNLL-U range or empty node

  std::size_t size() const { return tokens.size(); }

  std::vector<char> bytes;    // the buffer behind `raw`
  std::vector<char> decoded;  // the buffer behind tokens that differ from their bytes
};

struct SentenceOptions {
  SentenceFormat format = SentenceFormat::guess;
  ColumnChoice columns = {};  ///< empty: guessed by their number (docs/formats.md)
  /// The format of the files that have these columns. In files of other formats the columns
  /// are guessed. `guess`: the columns hold for every format.
  SentenceFormat columns_of = SentenceFormat::guess;
  TokenRules tokens = {};            ///< of prose
  std::string language = "english";  ///< of prose, for its abbreviations
  bool labelled = true;              ///< false: a tag column may be missing
  /// Without `labelled`: two columns are still token and tag, not token and pos.
  bool tags_optional = false;
  bool spans = false;     ///< each line of JSON Lines marks a span (mention-type)
  bool recase = false;    ///< lower-case the tokens; the tags are their case (recap)
  bool skip_bad = false;  ///< skip and count sentences that cannot be used
  const std::atomic<bool>* stop = nullptr;
  bool digest = false;  ///< compute sha256(), for the provenance of a model
};

/// Reads one file sentence by sentence, in memory that does not depend on its size.
class SentenceReader {
 public:
  virtual ~SentenceReader() = default;
  /// Fills `sentence` and returns true, or returns false at the end; `sentence.raw` is then
  /// what follows the last sentence. Throws InputError with the place of a sentence that
  /// cannot be used, unless options.skip_bad.
  virtual bool next(Sentence& sentence) = 0;
  virtual SentenceFormat format() const = 0;
  virtual const ColumnChoice& columns() const = 0;  ///< as given, or as found in the file
  virtual std::size_t skipped() const = 0;          ///< number of bad sentences skipped
  virtual Place place() const = 0;                  ///< of the line read last
  virtual std::string sha256() const = 0;           ///< as RowReader::sha256()
};

/// Opens `path` ("-" is standard input). Recognises gzip and zstd by content, and the
/// format too unless `options` names one.
///
///     auto reader = open_sentences("news.conll.gz");
///     for (Sentence sentence; reader->next(sentence);) use(sentence);
std::unique_ptr<SentenceReader> open_sentences(const std::string& path,
                                               const SentenceOptions& options = {});

/// Appends `sentence` to `out` byte for byte as it was read, with `tags` added: as a new
/// last column, in text and prose as `token_TAG`, in JSON Lines as a new last member
/// "predicted". `tags` has one tag per token, or the label of a span. If it is empty, the
/// sentence is just copied.
void append_tagged(const Sentence& sentence, SentenceFormat format,
                   const std::vector<std::string_view>& tags, std::string& out);

/// Returns the bytes before, between and after the tokens of a sentence of text or prose:
/// [tokens + 1]. Spaces and tokens in order are `sentence.raw`.
std::vector<std::string> spaces_of(const Sentence& sentence);

/// Appends a sentence of text with its tokens replaced and its spaces unchanged.
void append_replaced(const Sentence& sentence, const std::vector<std::string>& tokens,
                     std::string& out);

/// Case mappings for any script. They do not depend on the locale.
std::string lower_case(std::string_view text);
std::string upper_case(std::string_view text);
/// `text` with its first character in title case.
std::string capitalized(std::string_view text);
/// The class of a word in recapitalisation: "Punct", "Lowercase", "Capitalized", "AllUpper"
/// or "Mixed".
std::string_view case_class(std::string_view form);

/// Lower-cased word -> its mixed-case form (`mccain` -> `McCain`).
using MixedForms = std::map<std::string, std::string>;

/// Writes a lower-cased word in the given case_class(). A Mixed word takes its form in
/// `forms`, or is capitalised if it has none.
std::string recase(std::string_view lower, std::string_view case_class,
                   const MixedForms& forms);

/// A list of names (phrases of one or more words) that templates look up. Case does not
/// matter, and the longest phrase wins.
struct Gazetteer {
  std::string name;
  std::string entries;  ///< one per line, with words separated by spaces
  bool operator==(const Gazetteer&) const = default;
};

}  // namespace megadapt
