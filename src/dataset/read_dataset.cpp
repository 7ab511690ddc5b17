#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dataset/reduce_features.hpp"
#include "dataset/repeated_files.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

/// Appends rows to a data set whose vocabularies grow with them.
class Builder {
 public:
  Builder(Dataset& data, bool bias) : data_(data) {
    if (bias) bias_ = data_.features.add("");
  }

  void add(const Row& row, std::string_view file_domain) {
    repeated_.start_row(row.features.size() + 1);
    const std::size_t first = data_.rows.nonzeros();
    if (bias_ != kNone) add_feature(bias_, 1, false, first);
    data_.features.add_all(row.features, ids_);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      add_feature(ids_[i], row.features[i].value, row.has_values, first);
    }
    data_.rows.begin.push_back(data_.rows.nonzeros());
    data_.label.push_back(row.label.empty() ? kNone : data_.labels.add(row.label));
    data_.domain.push_back(
        data_.domains.add(row.domain.empty() ? file_domain : row.domain));
    data_.weight.push_back(static_cast<float>(row.weight));
    add_group(row.group);
  }

 private:
  void add_feature(std::uint32_t id, float value, bool has_values, std::size_t first) {
    SparseRows& rows = data_.rows;
    if (!repeated_.is_new(id)) {
      if (has_values) add_to_value(id, value, first);
      return;
    }
    rows.feature.push_back(id);
    if (value != 1 && rows.value.empty()) rows.value.assign(rows.feature.size() - 1, 1.0f);
    if (value != 1 || !rows.value.empty()) rows.value.push_back(value);
  }

  void add_to_value(std::uint32_t id, float value, std::size_t first) {
    SparseRows& rows = data_.rows;
    if (rows.value.empty()) rows.value.assign(rows.feature.size(), 1.0f);
    const auto at = std::find(rows.feature.begin() + static_cast<std::ptrdiff_t>(first),
                              rows.feature.end(), id) -
                    rows.feature.begin();
    rows.value[static_cast<std::size_t>(at)] += value;
  }

  void add_group(std::string_view group) {
    if (group.empty() && data_.group.empty()) return;
    data_.group.resize(data_.rows.size() - 1, kNone);
    data_.group.push_back(group.empty() ? kNone : data_.groups.add(group));
  }

  Dataset& data_;
  std::uint32_t bias_ = kNone;
  RepeatedIds repeated_;
  std::vector<std::uint32_t> ids_;  // of the current row, as looked up
};

}  // namespace

Dataset read_dataset(const std::vector<DomainFile>& files, const DatasetOptions& options) {
  refuse_repeated_files(files);
  Dataset data;
  Builder builder(data, options.bias);
  for (const DomainFile& file : files) data.domains.add(file.domain);
  for (const DomainFile& file : files) {
    ReadOptions read = options.read;
    read.domain = file.domain;
    read.digest = true;
    const auto reader = open_rows(file.file, read);
    const std::size_t before = data.num_examples();
    for (Row row; reader->next(row);) builder.add(row, file.domain);
    data.sources.push_back(
        {file.file, reader->sha256(), data.num_examples() - before, file.domain});
  }
  if (data.num_examples() == 0) {
    throw UsageError("no rows were read",
                     options.read.label_map
                         ? "the label map drops every row: give some labels a new name"
                         : "give at least one --domain NAME=FILE with rows");
  }
  if (options.bins > 0) bin_values(data, options.bins);
  if (options.min_count > 1) drop_rare_features(data, options.min_count);
  return data;
}

}  // namespace megadapt
