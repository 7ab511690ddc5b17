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
#include "megadapt/sentences.hpp"

namespace megadapt {

/// The active features of one row. `values` is empty when every value is 1.
struct RowView {
  std::span<const std::uint32_t> features;
  std::span<const float> values;
};

/// A compressed sparse matrix that the caller holds, in the number types of its arrays, and
/// a bias that they leave out.
struct BorrowedRows {
  template <class T>
  using Array = std::span<const T>;
  std::variant<Array<std::int32_t>, Array<std::int64_t>> begin;    ///< [N + 1], from 0
  std::variant<Array<std::int32_t>, Array<std::int64_t>> feature;  ///< [nnz]
  std::variant<std::monostate, Array<float>, Array<double>, Array<std::int32_t>,
               Array<std::int64_t>>
      value;                   ///< [nnz]; none when every value is 1
  std::uint32_t bias = kNone;  ///< of every row, behind its features; 0: before those + 1
};

/// Rows of a sparse matrix. Within a row a feature occurs once. Where `borrowed` is given
/// the rows are those, read in place, and the vectors stay as they are.
struct SparseRows {
  std::vector<std::uint64_t> begin{0};  // [N + 1]
  std::vector<std::uint32_t> feature;   // [nnz]
  std::vector<float> value;             // [nnz], or empty when every value is 1
  std::optional<BorrowedRows> borrowed = {};

  std::size_t size() const;
  std::size_t nonzeros() const;
  bool has_values() const;  ///< some value may differ from 1
  /// A borrowed row is valid until this thread asks for another one.
  RowView operator[](std::size_t row) const;
};

/// Quantile bins of real-valued features (D&M06 §3.1 suggests them): feature `f` with n
/// bins becomes the n indicators `f[1/n]` ... `f[n/n]`. A feature whose value is always 1
/// is not binned.
struct Binning {
  NameIndex features;                   ///< the features that are binned
  std::vector<std::uint32_t> begin{0};  ///< [features + 1]; where a feature's edges begin
  std::vector<float> edges;             ///< ascending; a value lies in the bin of the first
                                        ///< edge that is not below it, else in the last bin

  bool empty() const { return features.size() == 0; }
  std::uint32_t num_bins(std::uint32_t id) const { return begin[id + 1] - begin[id] + 1; }
  std::uint32_t bin(std::uint32_t id, float value) const;  ///< from 0
  std::string bin_name(std::uint32_t id, std::uint32_t bin) const;
};

/// Tells ids that a row repeats, by a small hash table that stays in the cache where an
/// entry per feature of the vocabulary would not.
class RepeatedIds {
 public:
  void start_row(std::size_t most_ids);
  /// Whether this row has not had `id` yet; from now on it has.
  bool is_new(std::uint32_t id) {
    const std::uint64_t entry = std::uint64_t{row_} << 32 | id;
    const std::size_t mask = table_.size() - 1;
    std::size_t at = id & mask;
    for (; table_[at] >> 32 == row_; at = (at + 1) & mask) {
      if (table_[at] == entry) return false;
    }
    table_[at] = entry;
    return true;
  }

 private:
  std::vector<std::uint64_t> table_;  // row << 32 | id; entries of other rows are empty
  std::uint32_t row_ = 0;
};

/// Turns rows as read into ids of a fixed vocabulary: adds the bias if the vocabulary has
/// one, bins values, merges repeated features, leaves out features it does not know.
class RowEncoder {
 public:
  /// `features` and `binning` must outlive the encoder.
  explicit RowEncoder(NameIndexView features, const Binning* binning = nullptr);
  /// Valid until the next call. Values are present only where one of them is not 1.
  RowView encode(const Row& row) {
    return encode(row, [](std::span<const std::uint32_t>) {});
  }
  /// found(ids) is called as soon as the ids are known, unseen ones being kNone.
  template <class Found>
  RowView encode(const Row& row, Found found) {
    features_.find_all(row.features, found_);
    found(std::span<const std::uint32_t>(found_));
    return join(row);
  }
  std::size_t unseen() const { return unseen_; }  ///< features left out so far

 private:
  RowView join(const Row& row);
  RowView join_plain();
  void add(std::uint32_t id, float value, bool has_values);

  NameIndexView features_;
  const Binning* binning_;
  std::uint32_t bias_;
  RepeatedIds repeated_;
  std::vector<std::uint32_t> found_;  // the row's features as they were looked up
  std::vector<std::uint32_t> ids_;
  std::vector<float> values_;
  std::size_t unseen_ = 0;
  bool plain_ = true;  // every value of the current row is 1
};

/// Where the rows came from, for the provenance of a model.
struct SourceFile {
  std::string file;
  std::string sha256;
  std::size_t rows = 0;
  std::string domain;
};

/// Rows [first, first + count) of those of all ranks, in the order of the files.
struct RowRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The features that the previous tag gives the tokens of sequences, so that decoding can
/// try every tag. A slot is a template with the words it saw at a token
/// (`tag[-1]|w=?|dog`).
struct TagSlots {
  std::uint32_t templates = 0;         ///< with the previous tag
  std::vector<std::uint32_t> slot;     ///< [N][templates]; kNone: no feature
  std::vector<std::uint32_t> feature;  ///< [slots][labels + 1]; the last stands for the
                                       ///< start of a sentence; kNone: not in the data

  bool empty() const { return templates == 0; }
};

/// How tags mark spans: B-TYPE begins one, I-TYPE goes on, O is outside; in iobes E-TYPE
/// ends one and S-TYPE is a span of one token. The type may be left out: B, I, O.
enum class TagScheme { none, iob2, iobes };

/// "none", "iob2", "iobes"; UsageError with a suggestion for any other name.
TagScheme parse_scheme(std::string_view name);
std::string_view scheme_name(TagScheme scheme);
/// The scheme whose tags these are; none where one of them is no tag of a span.
TagScheme guess_scheme(std::span<const std::string> tags);

/// What the ids of rows mean. Data sets and models share it, so it does not change once it
/// is shared.
struct Schema {
  NameIndex features = {};
  NameIndex labels = {};
  NameIndex domains = {};
  Binning binning = {};
  /// [F] of sequences, else empty: made of the previous tag, so that no gate may see it.
  std::vector<bool> tag_feature = {};
  TagScheme scheme = TagScheme::none;  ///< in force: which tag may follow which

  std::uint32_t bias() const { return features.find(""); }  ///< kNone without a bias
  bool is_tag_feature(std::uint32_t feature) const {
    return !tag_feature.empty() && tag_feature[feature];
  }
  /// SHA-256 of all names and facts, in hex.
  std::string digest() const;
};

/// A tagging task: how files are read and which features their tokens have. A model keeps
/// it, so that text is tagged as the training data was read.
struct TaskOptions {
  std::string task = "pos";  ///< pos, mention, mention-type, recap or chunk
  SentenceFormat format = SentenceFormat::guess;
  ColumnChoice columns = {};
  std::string features = {};               ///< the template; "": the built-in set of `task`
  std::string features_name = "features";  ///< what messages call it
  std::string scheme =
      {};  ///< of the tags; "": as the data says. Read by the decoder alone
  std::string language = "english";
  std::vector<Gazetteer> gazetteers = {};

  bool has_builtin_features() const;
  bool spans() const { return task == "mention-type"; }  ///< one label per marked span
  bool operator==(const TaskOptions&) const = default;
};

/// UsageError with a suggestion unless `name` is a task.
void check_task(std::string_view name);
std::vector<std::string> task_names();

/// Everything of `task` as one line of JSON, and back. Throws ModelFileError.
std::string to_text(const TaskOptions& task);
TaskOptions task_from_text(std::string_view text);

/// How the files of `task` are read.
SentenceOptions reading_for(const TaskOptions& task, bool labelled);

/// How raw input becomes rows. A data set has the one it was read by, and a model keeps it
/// whole, so that new input is read as the training data was.
///
///     Dataset data = read_dataset(files, {.text = {.word_ngrams = 2}, .min_count = 3});
struct Recipe {
  Format format = Format::guess;  ///< as asked for; a file is guessed by its content
  TextOptions text = {};
  bool bias = true;   ///< every row gets the feature whose name is empty
  int min_count = 1;  ///< features in fewer rows than this are dropped
  int bins = 0;       ///< > 0: values become indicators of this many quantiles
  std::vector<LabelMap::Rule> label_map = {};  ///< new names for labels
  std::string label_map_file = {};             ///< where the rules came from, to be told
  /// Of a task, whose input is sentences. After reading, its format, columns, features and
  /// scheme are what was found.
  std::optional<TaskOptions> task = {};
  MixedForms mixed_forms = {};  ///< of recap: what to write for words of mixed case

  std::string_view task_name() const { return task ? std::string_view(task->task) : ""; }
  bool operator==(const Recipe&) const = default;
  /// SHA-256 of all that changes rows, in hex: where the label map lies does not.
  std::string digest() const;
};

/// The whole recipe as JSON, and back. Throws ModelFileError.
std::string to_text(const Recipe& recipe);
Recipe recipe_from_text(std::string_view text);

/// How new rows are read for a model of this recipe: text and hashes as in training.
ReadOptions reading_for(const Recipe& recipe, Format format = Format::guess,
                        bool labelled = true);

/// Labelled examples of any number of domains. Data sets that were made of one another
/// (select_rows, test rows) share their Schema and Recipe.
struct Dataset {
  std::shared_ptr<const Schema> schema = std::make_shared<Schema>();
  std::shared_ptr<const Recipe> recipe = std::make_shared<Recipe>();
  SparseRows rows;
  std::vector<std::uint32_t> label;   // [N]; kNone when unlabelled
  std::vector<std::uint32_t> domain;  // [N]
  std::vector<float> weight;          // [N]
  std::vector<std::uint32_t> group;   // [N], or empty when no row names one; kNone for none
  std::shared_ptr<const NameIndex> group_names = std::make_shared<NameIndex>();
  /// Labels of test rows that the schema lacks; their ids go on behind the schema's.
  NameIndex extra_labels;
  std::vector<SourceFile> sources;
  // Which of the rows of all ranks these are, in order; empty when they are all.
  std::vector<RowRun> runs;
  // Of sequences only, whose rows are tokens in order with the features of the gold
  // previous tag; empty for single examples.
  std::vector<std::uint64_t> sentence_begin;  // [sentences + 1]
  TagSlots tag_slots;
  /// What people read of each row, where reading was asked to keep it: the token or span in
  /// its sentence. select_rows() leaves it behind.
  std::vector<std::string> text;  // [N], or empty

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
  /// The id of a label; one that the schema lacks becomes an extra one.
  std::uint32_t add_extra_label(std::string_view name);
  /// The name of the row's group, "" for none.
  std::string_view group_name(std::size_t row) const {
    return group.empty() || group[row] == kNone ? std::string_view()
                                                : groups().name(group[row]);
  }
  std::vector<std::size_t> rows_of(std::uint32_t domain_id) const;

  /// The schema and the names of groups to be changed: first a copy is made where another
  /// data set or model shares them.
  Schema& own_schema();
  NameIndex& own_groups();
};

/// What a row has besides its features.
struct RowFacts {
  std::uint32_t label = kNone;
  std::uint32_t domain = 0;
  float weight = 1;
  std::uint32_t group = kNone;
};

/// Appends rows; no other code does. Values come into being with the first that is not 1.
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
  /// To append features of value 1 to.
  std::vector<std::uint32_t>& ids() { return rows_.feature; }
  /// Ends a row, of rows alone or of a data set.
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

/// What reading found that a user may want to know.
struct ReadNotes {
  std::size_t skipped = 0;  ///< bad sentences left out
  /// Columns that some domain never knows: the built-in sets make no features of them.
  std::vector<std::string> left_out_columns;
  std::vector<LabelMap::Rule> unused_rules;  ///< of the label map
  std::size_t dropped_rows = 0;              ///< by the label map
};

/// How files are read, besides the recipe.
struct ReadControl {
  bool skip_bad = false;  ///< of a task: leave out sentences that cannot be used
  const std::atomic<bool>* stop = nullptr;  ///< as in ReadOptions
  /// Of a task: keep Dataset::text of the rows of this domain; "" means of all.
  std::optional<std::string> texts_of = {};
  ReadNotes* notes = nullptr;
};

/// Reads every file into one data set, whose recipe is then the given one with all that was
/// found. Throws InputError for a bad row or sentence, UsageError when one file is given
/// twice or nothing was read.
///
/// A row that names a domain of its own (JSON Lines) belongs to that domain, every other
/// row to its file's. A feature that a row repeats counts once where the format has no
/// values; where it has, its values add up.
///
/// Of a task, rows are tokens, with the features of the gold previous tag, or marked spans.
/// Groups are documents, or runs of 50 sentences of a file without documents. All files
/// must agree in the names of their columns.
///
/// With several ranks each of them returns its share of the rows, a part of every domain,
/// over the vocabularies of all: names have the ids that one rank would give them. `groups`
/// alone are those of its own rows.
Dataset read_dataset(const std::vector<DomainFile>& files, const Recipe& recipe = {},
                     const ReadControl& control = {},
                     Communicator& ranks = serial_communicator());

/// This rank's share of a data set that every rank has read: whole sentences, if it has
/// them, else rows.
Dataset keep_share(const Dataset& data, const Communicator& ranks);

/// Labelled rows or sentences to test on, read by the recipe of `train` over its schema:
/// features that it lacks are left out, labels that it lacks are extra ones. Every row
/// counts as one of `target`.
Dataset read_test_rows(const std::string& path, const Dataset& train, std::uint32_t target,
                       const ReadControl& control = {});

}  // namespace megadapt
