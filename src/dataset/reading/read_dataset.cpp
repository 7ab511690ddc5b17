#include "dataset/empty_domains.hpp"
#include "dataset/learn_scaling.hpp"
#include "dataset/reading/read_sentences.hpp"
#include "dataset/reduce_features.hpp"
#include "dataset/row_checks.hpp"
#include "dataset/row_encoder.hpp"
#include "dataset/unite.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

/// Appends rows to a data set and adds their names to its vocabularies.
class GrowingRows {
 public:
  GrowingRows(Dataset& data, bool bias, std::optional<std::string> texts_of)
      : data_(data),
        schema_(data.own_schema()),
        rows_(data),
        texts_of_(std::move(texts_of)) {
    if (bias) bias_ = schema_.features.add("");
  }

  void add(const Row& row, std::string_view file_domain) {
    repeated_.start_row(row.features.size() + 1);
    if (bias_ != kNone) add_feature(bias_, 1, false);
    schema_.features.add_all(row.features, ids_);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      add_feature(ids_[i], row.features[i].value, row.has_values);
    }
    const std::string_view domain = row.domain.empty() ? file_domain : row.domain;
    if (texts_of_) {
      const bool wanted = texts_of_->empty() || domain == *texts_of_;
      data_.text.emplace_back(wanted ? row.text : "");
      data_.origin.push_back({row.number, std::string(row.id)});
    }
    shares_.clear();
    for (const NamedShare& one : row.shares) {
      shares_.push_back({schema_.labels.add(one.label), static_cast<float>(one.share)});
    }
    rows_.end({.label = row.label.empty() ? kNone : schema_.labels.add(row.label),
               .shares = shares_,
               .domain = schema_.domains.add(domain),
               .weight = static_cast<float>(row.weight),
               .group = row.group.empty() ? kNone : data_.own_groups().add(row.group)});
  }

 private:
  void add_feature(std::uint32_t id, float value, bool has_values) {
    if (repeated_.is_new(id)) {
      rows_.add(id, value);
    } else if (has_values) {
      rows_.add_to_value(id, value);
    }
  }

  Dataset& data_;
  Schema& schema_;
  RowBuilder rows_;
  std::optional<std::string> texts_of_;
  std::uint32_t bias_ = kNone;
  RepeatedIds repeated_;
  std::vector<std::uint32_t> ids_;  // of the current row, repetitions included
  std::vector<LabelShare> shares_;  // of the current row
};

/// Reads this rank's share of each file.
class ShareReader {
 public:
  ShareReader(Dataset& data, const ReadOptions& reading, bool bias,
              const std::optional<std::string>& texts_of, const Communicator& ranks)
      : data_(data), reading_(reading), ranks_(ranks), builder_(data, bias, texts_of) {}

  void read(std::uint32_t index, const DomainFile& file, const FileShare& share) {
    data_.sources.push_back({file.file, {}, 0, file.domain});
    if (!share.is_read_by(ranks_.rank())) return;
    ReadOptions read = reading_;
    read.domain = file.domain;
    if (share.is_cut()) {
      read.format = static_cast<Format>(share.format);
      read.range = range_of(share, ranks_.rank(), ranks_.size());
    }
    const auto reader = open_rows(file.file, read);
    const Format format = reader->format();
    has_lines_ |= format != Format::csv && format != Format::tsv && format != Format::jsonl;
    if (share.is_striped()) {
      keep_stripes(index, file, *reader);
    } else {
      begin_part(index, share.is_cut() ? static_cast<std::uint32_t>(ranks_.rank()) : 0);
      for (Row row; reader->next(row);) add(row, file);
    }
    data_.sources.back().sha256 = reader->sha256();
  }

  std::span<const ReadPart> parts() const { return parts_; }
  bool from_text() const { return from_text_; }  ///< whether a row was made of text
  /// Whether the labels of a file begin its lines, and no header or field names them.
  bool has_lines() const { return has_lines_; }

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
        {file, part, 0, data_.num_features(), data_.num_labels(), data_.num_domains()});
  }

  void add(const Row& row, const DomainFile& file) {
    builder_.add(row, file.domain);
    from_text_ |= row.from_text;
    ++parts_.back().rows;
    ++data_.sources.back().rows;
  }

  Dataset& data_;
  const ReadOptions& reading_;
  const Communicator& ranks_;
  GrowingRows builder_;
  std::vector<ReadPart> parts_;
  bool from_text_ = false;
  bool has_lines_ = false;
};

// Returns whether `value` is true on some rank.
bool on_any(bool value, Communicator& ranks) {
  std::vector<double> sum{value ? 1.0 : 0.0};
  ranks.sum(sum);
  return sum[0] > 0;
}

}  // namespace

Dataset read_dataset(const std::vector<DomainFile>& files, const Recipe& recipe,
                     const ReadControl& control, Communicator& ranks) {
  if (recipe.task) {
    Dataset all = read_sentences(files, recipe, control);
    return ranks.size() == 1 ? std::move(all) : keep_share(all, ranks);
  }
  refuse_repeated_files(files);
  if (recipe.bins > 0 && ranks.size() > 1) {
    throw UsageError("the quantiles of --bin need all values on one rank",
                     "bin the values beforehand, or train on one rank");
  }
  LabelMap labels(recipe.label_map);
  ReadOptions reading = reading_for(recipe, recipe.format);
  reading.stop = control.stop;
  reading.digest = true;
  reading.needs_columns = control.needs_columns;
  reading.needed_columns = control.needed_columns;
  if (!recipe.label_map.empty()) reading.label_map = &labels;
  const std::vector<FileShare> shares = share_files(files, reading, ranks);
  Dataset data;
  const auto completed = std::make_shared<Recipe>(recipe);
  data.recipe = completed;
  ShareReader reader(data, reading, recipe.bias, control.texts_of, ranks);
  for (const DomainFile& file : files) data.own_schema().domains.add(file.domain);
  for (std::uint32_t f = 0; f < files.size(); ++f) reader.read(f, files[f], shares[f]);
  if (ranks.size() > 1) unite(data, reader.parts(), shares, ranks);
  std::size_t rows = 0;
  for (const SourceFile& source : data.sources) rows += source.rows;
  if (rows == 0) {
    throw UsageError("no rows were read",
                     reading.label_map
                         ? "the label map drops every row: give some labels a new name"
                         : "give at least one --domain NAME=FILE with rows");
  }
  completed->from_text = on_any(reader.from_text(), ranks);
  data.guessed_lines = recipe.format == Format::guess && on_any(reader.has_lines(), ranks);
  if (!*completed->from_text && !recipe.classes().empty()) {
    throw UsageError("word classes need words, but the rows have ready-made features",
                     "give text (CSV, TSV, JSON Lines) or sentences with --task");
  }
  drop_empty_domains(data, ranks);
  if (recipe.bins > 0) bin_values(data, recipe.bins);
  if (recipe.min_count > 1) drop_rare_features(data, recipe.min_count, ranks);
  if (control.scale) learn_scaling(data, ranks);
  if (control.notes) {
    control.notes->unused_rules = labels.unused();
    control.notes->dropped_rows = labels.dropped();
  }
  return data;
}

}  // namespace megadapt
