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
#include <vector>

#include "megadapt/error.hpp"

namespace megadapt {

class LabelMap;

enum class Format { guess, megam, megam_fvals, libsvm, jsonl, csv, tsv };

/// "megam", "megam-fvals", "libsvm", "jsonl", "csv", "tsv"; UsageError with a suggestion
/// for any other name.
Format parse_format(std::string_view name);
std::string_view format_name(Format format);

inline constexpr int kMostHashBits = 31;

/// How the `text` column of CSV and TSV becomes features, and what features are called.
/// Stored in the model, so that prediction reads as training did.
struct TextOptions {
  int word_ngrams = 1;  ///< words and runs of up to this many words, joined by `_`
  int char_ngrams = 0;  ///< runs of up to this many code points within a word; 0: none
  bool lower_case = true;
  int hash_bits = 0;  ///< > 0: a feature is called by a hash of its name, "#" and a number
                      ///< below 2^hash_bits
  bool operator==(const TextOptions&) const = default;
};

/// Bytes [begin, end) of a file.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct ReadOptions {
  Format format = Format::guess;
  bool labelled = true;  ///< false: lines have no label (predict --unlabelled)
  TextOptions text = {};
  /// A read that waits for a pipe is given up with Interrupted when a signal has set this.
  const std::atomic<bool>* stop = nullptr;
  /// Renames and drops labels as rows are read (label_map.hpp); must outlive the reader.
  LabelMap* label_map = nullptr;
  std::string domain = {};  ///< for the label map: that of rows which name none
  bool digest = false;      ///< compute sha256(), for the provenance of a model
  /// Only the lines that begin in this range, which may be none. The file is not
  /// compressed, every line of it is a row, and `format` says how to read it.
  std::optional<ByteRange> range = {};
};

/// One feature of a row as it was read. The name is valid until the next row is read.
struct NamedFeature {
  std::string_view name;
  float value = 1;
};

inline constexpr std::uint32_t kNone = 0xffffffff;

/// Names <-> ids, read-only, over memory that may be a mapped file. Lookup is one probe of
/// an open-addressing table by the name's 64-bit hash, which stands for the name.
struct NameIndexView {
  std::span<const std::uint64_t> slots;  ///< [power of two][2]; hash, id + 1 (0: empty)
  std::span<const std::uint64_t> ends;   ///< [size]; where each name ends in `bytes`
  std::span<const char> bytes;

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  std::string_view name(std::uint32_t id) const;
  std::uint32_t find(std::string_view name) const;  ///< kNone when absent
  /// The ids of all names of a row, one per feature: much faster than one find() after
  /// another, since the memory of all of them is asked for at once.
  void find_all(std::span<const NamedFeature> features,
                std::vector<std::uint32_t>& ids) const;
};

/// Names <-> ids, growing; ids in order of first appearance. The bias is the feature whose
/// name is empty: no input can name it.
class NameIndex {
 public:
  std::uint32_t add(std::string_view name);  ///< the id, new or old
  /// Adds the names of a row in order; `ids` becomes one id per feature.
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

/// One example as it was read. All views are valid until the next row is read.
struct Row {
  std::string_view label;  ///< empty when unlabelled
  std::vector<NamedFeature> features;
  bool has_values = false;  ///< the format gives values; else every value is 1
  double weight = 1;
  std::string_view domain;  ///< JSON Lines may name it; else empty
  std::string_view id;      ///< likewise
  std::string_view group;   ///< likewise: rows of one document or author
  std::size_t line = 0;     ///< from 1
};

/// Reads one file row by row; memory does not grow with the file.
class RowReader {
 public:
  virtual ~RowReader() = default;
  /// Fills `row` and returns true, or returns false at the end. Throws InputError with the
  /// place for a row that cannot be used.
  virtual bool next(Row& row) = 0;
  virtual Format format() const = 0;
  /// The place of the row that was read last, for messages of a caller.
  virtual Place place() const = 0;
  /// SHA-256 of the file's bytes as stored, in hex; complete once next() returned
  /// false. Empty unless ReadOptions asked for it.
  virtual std::string sha256() const = 0;
};

/// Opens `path` ("-" is standard input). gzip and zstd are recognised by content, and so is
/// the format unless `options` names one. Throws InputError when the file cannot be read,
/// is a directory, is empty or has an unknown format.
///
///     auto reader = open_rows("news.txt.gz");
///     for (Row row; reader->next(row);) use(row);
std::unique_ptr<RowReader> open_rows(const std::string& path,
                                     const ReadOptions& options = {});

/// New names for labels, so that domains with label sets of their own can be learnt
/// together. Lines of the file are OLD<TAB>NEW, or DOMAIN<TAB>OLD<TAB>NEW for one domain;
/// NEW `-` drops the rows of that label (docs/formats.md).
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
    std::string name;  ///< the new one; empty: drop the row
    std::size_t line = 0;
    bool operator==(const Rule&) const = default;
  };

  /// Rules that read() accepted once.
  explicit LabelMap(const std::vector<Rule>& rules);
  /// Throws InputError with the line for one that is no rule, or contradicts an earlier
  /// one.
  static LabelMap read(const std::string& path);

  /// Replaces the label of a row of `domain`; false when the row is to be dropped. A rule
  /// for the domain goes before one for all domains; a label without a rule stays. New
  /// names are not mapped again. The view is valid as long as the map.
  bool apply(std::string_view domain, std::string_view& label);

  std::vector<Rule> rules() const;  ///< by line
  /// Rules whose label has not occurred, by line. With `read_domains_only`, without those
  /// for domains of which no row was read.
  std::vector<Rule> unused(bool read_domains_only = false) const;
  std::size_t dropped() const { return dropped_; }  ///< rows

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
  template <class Wanted>
  std::vector<Rule> rules_where(Wanted wanted) const;

  std::map<std::string, DomainRules, std::less<>> domains_;  // "": for every domain
  std::size_t dropped_ = 0;
};

}  // namespace megadapt
