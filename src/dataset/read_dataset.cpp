#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dataset/reduce_features.hpp"
#include "dataset/repeated_files.hpp"
#include "dataset/unite.hpp"
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

/// Reads this rank's share of each file.
class ShareReader {
 public:
  ShareReader(Dataset& data, const DatasetOptions& options, const Communicator& ranks)
      : data_(data), options_(options), ranks_(ranks), builder_(data, options.bias) {}

  void read(std::uint32_t index, const DomainFile& file, const FileShare& share) {
    data_.sources.push_back({file.file, {}, 0, file.domain});
    if (!share.is_read_by(ranks_.rank())) return;
    ReadOptions read = options_.read;
    read.domain = file.domain;
    read.digest = true;
    if (share.is_cut()) {
      read.format = static_cast<Format>(share.format);
      read.range = range_of(share, ranks_.rank(), ranks_.size());
    }
    const auto reader = open_rows(file.file, read);
    if (share.is_striped()) {
      keep_stripes(index, file, *reader);
    } else {
      begin_part(index, share.is_cut() ? static_cast<std::uint32_t>(ranks_.rank()) : 0);
      for (Row row; reader->next(row);) add(row, file);
    }
    data_.sources.back().sha256 = reader->sha256();
  }

  std::span<const ReadPart> parts() const { return parts_; }

 private:
  void keep_stripes(std::uint32_t index, const DomainFile& file, RowReader& reader) {
    const auto ranks = static_cast<std::uint64_t>(ranks_.size());
    const auto own = static_cast<std::uint64_t>(ranks_.rank());
    std::uint64_t n = 0;
    for (Row row; reader.next(row); ++n) {
      const std::uint64_t stripe = n / kRowsPerStripe;
      if (stripe % ranks != own) continue;
      if (n % kRowsPerStripe == 0) begin_part(index, static_cast<std::uint32_t>(stripe));
      add(row, file);
    }
  }

  void begin_part(std::uint32_t file, std::uint32_t part) {
    parts_.push_back(
        {file, part, 0, data_.features.size(), data_.labels.size(), data_.domains.size()});
  }

  void add(const Row& row, const DomainFile& file) {
    builder_.add(row, file.domain);
    ++parts_.back().rows;
    ++data_.sources.back().rows;
  }

  Dataset& data_;
  const DatasetOptions& options_;
  const Communicator& ranks_;
  Builder builder_;
  std::vector<ReadPart> parts_;
};

}  // namespace

Dataset read_dataset(const std::vector<DomainFile>& files, const DatasetOptions& options,
                     Communicator& ranks) {
  refuse_repeated_files(files);
  if (options.bins > 0 && ranks.size() > 1) {
    throw UsageError("the quantiles of --bin need all values on one rank",
                     "bin the values beforehand, or train on one rank");
  }
  const std::vector<FileShare> shares = share_files(files, options.read, ranks);
  Dataset data;
  ShareReader reader(data, options, ranks);
  for (const DomainFile& file : files) data.domains.add(file.domain);
  for (std::uint32_t f = 0; f < files.size(); ++f) reader.read(f, files[f], shares[f]);
  if (ranks.size() > 1) unite(data, reader.parts(), shares, ranks);
  std::size_t rows = 0;
  for (const SourceFile& source : data.sources) rows += source.rows;
  if (rows == 0) {
    throw UsageError("no rows were read",
                     options.read.label_map
                         ? "the label map drops every row: give some labels a new name"
                         : "give at least one --domain NAME=FILE with rows");
  }
  if (options.bins > 0) bin_values(data, options.bins);
  if (options.min_count > 1) drop_rare_features(data, options.min_count, ranks);
  return data;
}

}  // namespace megadapt
