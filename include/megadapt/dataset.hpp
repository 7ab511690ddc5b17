#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt {

inline constexpr std::uint32_t kNone = 0xffffffff;

/// Names <-> ids, read-only, over memory that may be a mapped file. Lookup is one probe of an
/// open-addressing table; its slots hold 32 bits of the name's hash above the id.
struct NameIndexView {
  std::span<const std::uint64_t> slots;  ///< [power of two]; hash << 32 | id + 1; 0 is empty
  std::span<const std::uint64_t> ends;   ///< [size]; where each name ends in `bytes`
  std::span<const char> bytes;

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends.size()); }
  std::string_view name(std::uint32_t id) const;
  std::uint32_t find(std::string_view name) const;  ///< kNone when absent
};

/// Names <-> ids, growing; ids in order of first appearance. The bias is the feature whose
/// name is empty: no input can name it.
class NameIndex {
 public:
  std::uint32_t add(std::string_view name);  ///< the id, new or old
  std::uint32_t find(std::string_view name) const { return view().find(name); }
  std::string_view name(std::uint32_t id) const { return view().name(id); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  NameIndexView view() const { return {slots_, ends_, bytes_}; }
  std::vector<std::string> names() const;

 private:
  void grow();

  std::vector<std::uint64_t> slots_;
  std::vector<std::uint64_t> ends_;
  std::vector<char> bytes_;
};

/// The active features of one row. `values` is empty when every value is 1.
struct RowView {
  std::span<const std::uint32_t> features;
  std::span<const float> values;
};

/// Rows of a sparse matrix. Within a row a feature occurs once.
struct SparseRows {
  std::vector<std::uint64_t> begin{0};  // [N + 1]
  std::vector<std::uint32_t> feature;   // [nnz]
  std::vector<float> value;             // [nnz], or empty when every value is 1

  std::size_t size() const { return begin.size() - 1; }
  std::size_t nonzeros() const { return feature.size(); }
  RowView operator[](std::size_t row) const;
};

/// Where the rows came from, for the provenance of a model.
struct SourceFile {
  std::string file;
  std::string sha256;
  std::size_t rows = 0;
  std::string domain;
};

/// Labelled examples of any number of domains over one vocabulary.
struct Dataset {
  SparseRows rows;
  std::vector<std::uint32_t> label;   // [N]; kNone when unlabelled
  std::vector<std::uint32_t> domain;  // [N]
  std::vector<float> weight;          // [N]
  std::vector<std::uint32_t> group;   // [N], or empty when no row names one; kNone for none
  NameIndex features;
  NameIndex labels;
  NameIndex domains;
  NameIndex groups;
  std::vector<SourceFile> sources;

  std::size_t num_examples() const { return rows.size(); }
  std::uint32_t num_features() const { return features.size(); }
  std::uint32_t num_labels() const { return labels.size(); }
  std::uint32_t num_domains() const { return domains.size(); }
  std::uint32_t bias() const { return features.find(""); }  ///< kNone without a bias
  std::vector<std::size_t> rows_of(std::uint32_t domain_id) const;
};

/// One `--domain NAME=FILE`.
struct DomainFile {
  std::string domain;
  std::string file;
};

struct DatasetOptions {
  ReadOptions read;
  bool bias = true;      ///< every row gets the feature whose name is empty
  int min_count = 1;     ///< features in fewer rows than this are dropped
  int bins = 0;          ///< > 0: values become indicators of this many quantiles
};

/// Reads every file into one data set. A feature that a row repeats counts once where the
/// format has no values; where it has, its values add up. Throws InputError for a bad row,
/// UsageError when one file is given twice or nothing was read.
Dataset read_dataset(const std::vector<DomainFile>& files, const DatasetOptions& options = {});

}  // namespace megadapt
