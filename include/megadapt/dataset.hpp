#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "megadapt/corpus.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// Indices of rows in a data set.
using RowIds = std::span<const std::size_t>;

/// The active features of one row. `values` is empty when every value is 1.
struct RowView {
  std::span<const std::uint32_t> features;
  std::span<const float> values;
};

/// A compressed sparse matrix that the caller owns, in arrays of several number types, and
/// a bias that the arrays do not contain.
struct BorrowedRows {
  template <class T>
  using Array = std::span<const T>;
  std::variant<Array<std::int32_t>, Array<std::int64_t>> begin;    ///< [N + 1], from 0
  std::variant<Array<std::int32_t>, Array<std::int64_t>> feature;  ///< [nnz]
  std::variant<std::monostate, Array<float>, Array<double>, Array<std::int32_t>,
               Array<std::int64_t>>
      value;  ///< [nnz]; none when every value is 1
  /// The id of the bias of every row. It comes after the features; if it is 0, it comes
  /// first and the ids of all other features grow by 1.
  std::uint32_t bias = kNone;
};

/// Rows of a sparse matrix. A feature occurs at most once in a row. If `borrowed` is set,
/// the rows are read from there and the vectors are not used.
struct SparseRows {
  std::vector<std::uint64_t> begin{0};  // [N + 1]
  std::vector<std::uint32_t> feature;   // [nnz]
  std::vector<float> value;             // [nnz], or empty when every value is 1
  std::optional<BorrowedRows> borrowed = {};

  std::size_t size() const;
  std::size_t nonzeros() const;
  bool has_values() const;  ///< whether some value may differ from 1
  /// A borrowed row is valid until the same thread calls this again.
  RowView operator[](std::size_t row) const;
};

/// A label that a row has with some probability.
struct LabelShare {
  std::uint32_t label = 0;
  float share = 0;  ///< above 0; those of a row sum to 1
  bool operator==(const LabelShare&) const = default;
};

/// The rows whose label is uncertain, and their labels. A row with a single label is not
/// among them, so a data set of such rows has no entries here.
struct SoftLabels {
  std::vector<std::uint64_t> row;       // ascending
  std::vector<std::uint64_t> begin{0};  // [rows + 1]
  std::vector<LabelShare> shares;

  bool empty() const { return row.empty(); }
  std::size_t size() const { return row.size(); }
  std::span<const LabelShare> operator[](std::size_t i) const {
    return std::span(shares).subspan(begin[i], begin[i + 1] - begin[i]);
  }
  /// The first entry whose row is `n` or later; size() if there is none.
  std::size_t first_from(std::size_t n) const;
  /// The labels of row `n`; empty if it has only one.
  std::span<const LabelShare> of(std::size_t n) const;
  /// Adds the labels of row `n`, which must come after all rows added before.
  void add(std::size_t n, std::span<const LabelShare> labels);
  /// Returns the entries of `rows`, which must ascend, with row numbers that are positions
  /// in `rows`.
  SoftLabels select(RowIds rows) const;
};

/// Quantile bins of real-valued features, as D&M06 §3.1 suggests: a feature `f` with n bins
/// becomes n indicators `f[1/n]` ... `f[n/n]`. A feature whose value is always 1 is not
/// binned.
struct Binning {
  NameIndex features;                   ///< the features that are binned
  std::vector<std::uint32_t> begin{0};  ///< [features + 1]; first edge of each feature
  /// Ascending within a feature. A value belongs to the bin of the first edge that is not
  /// below it, or to the last bin.
  std::vector<float> edges;

  bool empty() const { return features.size() == 0; }
  std::uint32_t num_bins(std::uint32_t id) const { return begin[id + 1] - begin[id] + 1; }
  std::uint32_t bin(std::uint32_t id, float value) const;  ///< from 0
  std::string bin_name(std::uint32_t id, std::uint32_t bin) const;
};

/// Shifts and scales the values of features: v becomes (v - shift) scale. Weights words by
/// their idf, and numbers of columns by their mean and deviation in the training rows.
struct Scaling {
  std::vector<float> shift;  ///< [F]; empty: all are 0
  std::vector<float> scale;  ///< [F]; empty: no value is changed

  bool empty() const { return scale.empty(); }
  /// A feature beyond the table keeps its value.
  float apply(std::uint32_t feature, float value) const {
    if (feature >= scale.size()) return value;
    return (value - (shift.empty() ? 0 : shift[feature])) * scale[feature];
  }
};

/// A file that rows were read from, for the provenance of a model.
struct SourceFile {
  std::string file;
  std::string sha256;
  std::size_t rows = 0;
  std::string domain;
  bool unlabelled = false;  ///< its labels, if it has any, were not used
};

/// Rows [first, first + count) among the rows of all ranks, in the order of the files.
struct RowRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The features of tokens that depend on the previous tag, so that decoding can try every
/// tag. A slot is a template filled with the words at a token (`tag[-1]|w=?|dog`).
struct TagSlots {
  std::uint32_t templates = 0;      ///< the number of templates with the previous tag
  std::vector<std::uint32_t> slot;  ///< [N][templates]; kNone: no feature
  /// [slots][labels + 1]: the feature after each label and, last, at the start of a
  /// sentence. kNone: not in the data.
  std::vector<std::uint32_t> feature;

  bool empty() const { return templates == 0; }
};

/// How tags mark spans: B-TYPE begins a span, I-TYPE continues it, O is outside of spans;
/// in iobes E-TYPE ends a span and S-TYPE is a span of one token. The type may be missing:
/// B, I, O.
enum class TagScheme { none, iob2, iobes };

/// "none", "iob2", "iobes"; throws UsageError with a suggestion for any other name.
TagScheme parse_scheme(std::string_view name);
std::string_view scheme_name(TagScheme scheme);
/// The scheme that these tags follow; none if one of them cannot be the tag of a span.
TagScheme guess_scheme(std::span<const std::string> tags);

/// What the ids in rows mean. Data sets and models share it, so it must not change once it
/// is shared.
struct Schema {
  NameIndex features = {};
  NameIndex labels = {};
  NameIndex domains = {};
  Binning binning = {};
  Scaling scaling = {};
  /// [F] for sequences, else empty: whether a feature depends on the previous tag. A gate
  /// must not see such a feature.
  std::vector<bool> tag_feature = {};
  TagScheme scheme = TagScheme::none;  ///< which tag may follow which

  std::uint32_t bias() const { return features.find(""); }  ///< kNone without a bias
  bool is_tag_feature(std::uint32_t feature) const {
    return !tag_feature.empty() && tag_feature[feature];
  }
  /// SHA-256 of everything in the schema, in hex.
  std::string digest() const;
};

/// A tagging task: how files are read and which features their tokens have. A model stores
/// it, so that new text is read as the training data was.
struct TaskOptions {
  std::string task = "pos";  ///< pos, mention, mention-type, recap or chunk
  SentenceFormat format = SentenceFormat::guess;
  ColumnChoice columns = {};
  std::string features = {};  ///< template text; "": the built-in set of `task`
  std::string features_name = "features";  ///< the name of the template in messages
  std::string scheme = {};  ///< of the tags, for the decoder; "": guessed from the data
  std::string language = "english";
  TokenRules tokens = {};  ///< how the training data splits words; for prose
  std::vector<Gazetteer> gazetteers = {};
  WordClasses classes = {};  ///< of words; templates use their columns

  bool has_builtin_features() const;
  std::string template_text() const;  ///< `features`, or the built-in set
  bool spans() const { return task == "mention-type"; }  ///< labels spans, not tokens
  bool operator==(const TaskOptions&) const = default;
};

/// Throws UsageError with a suggestion unless `name` is a task.
void check_task(std::string_view name);
std::vector<std::string> task_names();

/// Options for open_sentences() to read the files of `task`.
SentenceOptions reading_for(const TaskOptions& task, bool labelled);

/// How raw input becomes rows. A data set contains the recipe that it was read by, and a
/// model stores it, so that new input is read as the training data was.
///
///     Dataset data = read_dataset(files, {.text = {.word_ngrams = 2}, .min_count = 3});
struct Recipe {
  Format format = Format::guess;  ///< as requested; `guess`: each file by its content
  TextOptions text = {};
  ColumnNames columns = {};
  bool bias = true;   ///< every row gets a feature with the empty name
  int min_count = 1;  ///< features in fewer rows than this are dropped
  int bins = 0;       ///< > 0: values become indicators of this many quantiles
  std::vector<LabelMap::Rule> label_map = {};  ///< new names for labels
  std::string label_map_file = {};             ///< the file of the rules, for display
  /// Whether the rows were made of text; set by reading. Unset: not known (version 0.1).
  std::optional<bool> from_text = {};
  /// Set if the input is sentences. Reading fills in its format, columns, features and
  /// scheme.
  std::optional<TaskOptions> task = {};
  MixedForms mixed_forms = {};  ///< for recap: the spelling of mixed-case words

  const WordClasses& classes() const { return task ? task->classes : text.classes; }
  void set_classes(WordClasses classes) {
    (task ? task->classes : text.classes) = std::move(classes);
  }
  std::string_view task_name() const { return task ? std::string_view(task->task) : ""; }
  bool operator==(const Recipe&) const = default;
  /// SHA-256 of everything that affects rows, in hex. `label_map_file` and `from_text` do
  /// not.
  std::string digest() const;
};

/// Returns options for open_rows(), to read new rows for a model of this recipe. Text is
/// split, normalised and hashed as in training.
ReadOptions reading_for(const Recipe& recipe, Format format = Format::guess,
                        bool labelled = true);

/// Where a row stood in its file.
struct RowOrigin {
  std::size_t number = 0;  ///< as Row::number
  std::string id = {};     ///< "" if the file has none
};

/// Labelled examples of any number of domains. Data sets derived from each other (selected
/// rows, test rows) share their Schema and Recipe.
struct Dataset {
  std::shared_ptr<const Schema> schema = std::make_shared<Schema>();
  std::shared_ptr<const Recipe> recipe = std::make_shared<Recipe>();
  SparseRows rows;
  /// [N]; kNone when unlabelled. The most probable label of a row in `soft`.
  std::vector<std::uint32_t> label;
  SoftLabels soft;                    // the rows whose label is uncertain
  std::vector<std::uint32_t> domain;  // [N]
  std::vector<float> weight;          // [N]
  std::vector<std::uint32_t> group;   // [N], kNone for no group; empty: no row has one
  std::shared_ptr<const NameIndex> group_names = std::make_shared<NameIndex>();
  /// The labels of test rows that are not in the schema. Their ids follow the schema's ids.
  NameIndex extra_labels;
  std::vector<SourceFile> sources;
  /// True if no format was given and some file was read as lines that begin with labels.
  bool guessed_lines = false;
  // With several ranks, the place of these rows among all rows, in order; else empty.
  std::vector<RowRun> runs;
  // For sequences only: where each sentence begins. A row is then a token, and its features
  // include those made of the correct tag of the token before it.
  std::vector<std::uint64_t> sentence_begin;  // [sentences + 1]; empty: single examples
  TagSlots tag_slots;
  /// A readable form of each row, if ReadControl::texts_of asked for it: the text that its
  /// features were made of ("" if none), or the token or span in its sentence. Selecting
  /// rows does not copy it.
  std::vector<std::string> text;  // [N], or empty
  /// Rows of the target without labels, over the same schema, for self-training. Selecting
  /// rows keeps all of them. Null if there are none.
  std::shared_ptr<const Dataset> unlabelled = {};
  std::vector<RowOrigin>
      origin;  // [N] where rows, not sentences, have a `text`; else empty

  const NameIndex& features() const { return schema->features; }
  const NameIndex& labels() const { return schema->labels; }  ///< without the extra ones
  const NameIndex& domains() const { return schema->domains; }
  const NameIndex& groups() const { return *group_names; }
  const Binning& binning() const { return schema->binning; }
  bool is_sequences() const { return !sentence_begin.empty(); }
  std::size_t num_examples() const { return rows.size(); }
  std::uint32_t num_features() const { return features().size(); }
  std::uint32_t num_labels() const { return labels().size() + extra_labels.size(); }
  std::uint32_t num_domains() const { return domains().size(); }
  std::uint32_t bias() const { return schema->bias(); }  ///< kNone without a bias
  bool is_tag_feature(std::uint32_t id) const { return schema->is_tag_feature(id); }
  std::string_view label_name(std::uint32_t id) const {
    return id < labels().size() ? labels().name(id)
                                : extra_labels.name(id - labels().size());
  }
  std::vector<std::string> label_names() const;  ///< [num_labels()]
  /// The id of a label. A label that the schema lacks becomes an extra one.
  std::uint32_t add_extra_label(std::string_view name);
  /// The name of the row's group, or "".
  std::string_view group_name(std::size_t row) const {
    return group.empty() || group[row] == kNone ? std::string_view()
                                                : groups().name(group[row]);
  }
  std::vector<std::size_t> rows_of(std::uint32_t domain_id) const;
  /// Calls use(label, share) for each label of a row: once, with 1, unless it is uncertain.
  template <class Use>
  void for_each_label(std::size_t n, Use use) const {
    const auto shares = soft.of(n);
    if (shares.empty()) return use(label[n], 1.0);
    for (const LabelShare& one : shares) use(one.label, static_cast<double>(one.share));
  }

  /// The schema and the names of groups, to be changed. Copies them first if another data
  /// set or model shares them.
  Schema& own_schema();
  NameIndex& own_groups();
};

/// Everything about a row except its features.
struct RowFacts {
  std::uint32_t label = kNone;
  /// The labels of a row whose label is uncertain, in place of `label`. The row's label is
  /// the most probable one, and the first of those if there are several.
  std::span<const LabelShare> shares = {};
  std::uint32_t domain = 0;
  float weight = 1;
  std::uint32_t group = kNone;
};

/// Appends rows; no other code does. Stores values only once one of them differs from 1.
///
///     Dataset made;
///     RowBuilder builder(made);
///     builder.add(made.own_schema().features.add("length"), 2.5f);
///     builder.end({.label = 0, .domain = 0});
class RowBuilder {
 public:
  explicit RowBuilder(SparseRows& rows) : rows_(rows) {}
  explicit RowBuilder(Dataset& data) : rows_(data.rows), data_(&data) {}

  void add(std::uint32_t feature) { rows_.feature.push_back(feature); }
  void add(std::uint32_t feature, float value) {
    if (value != 1) return add_value(feature, value);
    rows_.feature.push_back(feature);
  }
  void add(RowView row);
  /// Adds to the value of a feature that the row already has.
  void add_to_value(std::uint32_t feature, float value);
  /// The ids added so far; the caller may append features of value 1.
  std::vector<std::uint32_t>& ids() { return rows_.feature; }
  /// Ends a row: without facts for SparseRows, with facts for a Dataset.
  void end() {
    if (!rows_.value.empty()) rows_.value.resize(rows_.feature.size(), 1.0f);
    rows_.begin.push_back(rows_.feature.size());
  }
  void end(const RowFacts& facts);

 private:
  void add_value(std::uint32_t feature, float value);

  SparseRows& rows_;
  Dataset* data_ = nullptr;
};

/// One `--domain NAME=FILE`.
struct DomainFile {
  std::string domain;
  std::string file;
};

/// Findings of reading that a user may want to know.
struct ReadNotes {
  std::size_t skipped = 0;  ///< number of bad sentences
  /// Columns that one of the domains lacks; the built-in sets do not use them.
  std::vector<std::string> left_out_columns;
  /// Columns that one of the domains lacks although the user's own templates use them.
  std::vector<std::string> uneven_columns;
  std::vector<LabelMap::Rule> unused_rules;  ///< of the label map
  std::size_t dropped_rows = 0;              ///< by the label map
};

/// How files are read, apart from the recipe.
struct ReadControl {
  bool skip_bad = false;                    ///< of a task: skip bad sentences
  const std::atomic<bool>* stop = nullptr;  ///< as in ReadOptions
  /// Fill Dataset::text for the rows of this domain, or for the rows of every domain if
  /// this is "".
  std::optional<std::string> texts_of = {};
  bool needs_columns = true;                     ///< as in ReadOptions
  std::vector<std::string> needed_columns = {};  ///< as in ReadOptions
  bool scale = true;  ///< learn Schema::scaling and apply it; false: values stay as read
  /// Of a task: features and labels begin with those of this schema, with the same ids.
  const Schema* vocabulary = nullptr;
  ReadNotes* notes = nullptr;
};

/// Reads all files into one data set. Its recipe is the given one, completed by what was
/// found in the files. Throws InputError for a bad row or sentence, UsageError when a file
/// is given twice or nothing was read.
///
/// A row that names its domain (JSON Lines) belongs to that domain, every other row to the
/// domain of its file. A feature that a row repeats counts once if the format has no
/// values; otherwise its values are added.
///
/// With a task, rows are tokens with the features of the gold previous tag, or marked
/// spans. Groups are documents, or blocks of 50 sentences if a file has no documents. All
/// files must have the same names of columns.
///
/// With several ranks, each returns its share of the rows of every domain. Features, labels
/// and domains have the ids that a single rank would give them; only the ids of groups are
/// those of the rank's own rows.
Dataset read_dataset(const std::vector<DomainFile>& files, const Recipe& recipe = {},
                     const ReadControl& control = {},
                     Communicator& ranks = serial_communicator());

/// This rank's share of a data set that every rank has read completely. Sentences are not
/// split.
Dataset keep_share(const Dataset& data, const Communicator& ranks);

/// Labelled rows or sentences to test on, read by the recipe of `train` over its schema.
/// Features that the schema lacks are dropped; labels that it lacks become extra labels.
/// Every row gets the domain `target`.
Dataset read_test_rows(const std::string& path, const Dataset& train, std::uint32_t target,
                       const ReadControl& control = {});

/// What was found in files of unlabelled rows.
struct UnlabelledNotes {
  std::size_t labelled = 0;  ///< rows or sentences with a label or tags, which were ignored
};

/// Rows or sentences of `target` without labels, read by the recipe of `train` over its
/// schema. Features that the schema lacks are dropped, labels are ignored. With several
/// ranks, each returns its share.
///
///     Dataset with = train;
///     with.unlabelled =
///         std::make_shared<Dataset>(read_unlabelled({"mails.txt"}, train, target));
///
/// A line of features may begin with a label and a tab.
Dataset read_unlabelled(const std::vector<std::string>& paths, const Dataset& train,
                        std::uint32_t target, const ReadControl& control = {},
                        UnlabelledNotes* notes = nullptr,
                        Communicator& ranks = serial_communicator());

}  // namespace megadapt
