#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "dataset/reduce_features.hpp"
#include "dataset/repeated_files.hpp"
#include "dataset/sequence_encoder.hpp"
#include "dataset/token_ids.hpp"
#include "features/features.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRunOfSentences = 50;  // a group where there are no documents
constexpr char kTagHere = '\x01';            // stands for the tag in the name of a slot

/// Numbers that grow with the data.
class GrowingNumbering final : public sequence::Numbering {
 public:
  explicit GrowingNumbering(NameIndex& features) : features_(features) {}
  std::uint32_t feature(std::string_view name) override { return features_.add(name); }
  std::uint32_t slot(std::size_t, std::string_view before,
                     std::string_view after) override {
    name_ = before;
    name_ += kTagHere;
    name_ += after;
    return slots_.add(name_);
  }
  const NameIndex& slots() const { return slots_; }

 private:
  NameIndex& features_;
  NameIndex slots_;
  std::string name_;
};

std::string with_tag(std::string_view slot, std::string_view tag) {
  const std::size_t at = slot.find(kTagHere);
  return fmt::format("{}{}{}", slot.substr(0, at), tag, slot.substr(at + 1));
}

/// Adds the features of spans to a data set's vocabulary and rows.
class GrowingSink final : public FeatureSink {
 public:
  explicit GrowingSink(Dataset& data) : data_(data) {}
  void feature(std::string_view name) override {
    data_.rows.feature.push_back(data_.features.add(name));
  }
  void tag_feature(std::size_t, std::string_view, std::string_view) override {}
  void end_token() override {}

 private:
  Dataset& data_;
};

class TaggedBuilder {
 public:
  TaggedBuilder(const TaskOptions& task, Dataset& data, bool bias)
      : data_(data),
        templates_(template_of(task)),
        bias_(bias ? data.features.add("") : kNone),
        numbering_(data.features) {
    if (task.spans()) {
      extractor_.emplace(templates_, task.gazetteers, task.language);
    } else {
      tokens_.emplace(templates_, task.gazetteers, task.language, numbering_);
      data_.sentence_begin.push_back(0);
      data_.tag_slots.templates =
          static_cast<std::uint32_t>(templates_.num_tag_templates());
    }
  }

  void add(const Sentence& sentence, std::uint32_t domain, std::uint32_t group) {
    const std::size_t before = data_.num_examples();
    if (extractor_) {
      add_span(sentence);
    } else {
      add_tokens(sentence);
    }
    const std::size_t rows = data_.num_examples();
    data_.domain.resize(rows, domain);
    data_.weight.resize(rows, 1.0f);
    data_.group.resize(rows, group);
    if (!extractor_ && rows > before) data_.sentence_begin.push_back(rows);
  }

  /// After features were dropped; `new_id` is what dropping returned.
  void renumber(const std::vector<std::uint32_t>& new_id) {
    for (std::vector<std::uint32_t>& row : by_slot_) {
      for (std::uint32_t& id : row) id = id == kNone ? kNone : new_id[id];
    }
  }

  /// Once all rows are there.
  void finish() {
    if (extractor_) return;
    const std::size_t num_slots = numbering_.slots().size();
    const std::size_t width = data_.num_labels() + std::size_t{1};
    by_slot_.resize(num_slots);
    data_.tag_slots.feature.reserve(num_slots * width);
    for (std::vector<std::uint32_t>& row : by_slot_) {
      row.resize(width, kNone);  // [start, labels...] becomes [labels..., start]
      std::rotate(row.begin(), row.begin() + 1, row.end());
      data_.tag_slots.feature.insert(data_.tag_slots.feature.end(), row.begin(), row.end());
    }
    data_.tag_feature.resize(data_.num_features());
    for (std::uint32_t f = 0; f < data_.num_features(); ++f) {
      data_.tag_feature[f] = data_.features.name(f).starts_with(kTagFeature);
    }
  }

 private:
  void add_span(const Sentence& sentence) {
    if (bias_ != kNone) data_.rows.feature.push_back(bias_);
    GrowingSink sink(data_);
    extractor_->extract(sentence, sink);
    end_row(data_.labels.add(sentence.tags.front()));
  }

  void add_tokens(const Sentence& sentence) {
    tokens_->set(sentence);
    std::uint32_t previous = kNone;
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      if (bias_ != kNone) data_.rows.feature.push_back(bias_);
      tokens_->append_context(t, data_.rows.feature);
      for (std::size_t k = 0; k < templates_.num_tag_templates(); ++k) {
        const std::uint32_t slot = tokens_->slot(t, k);
        data_.tag_slots.slot.push_back(slot);
        if (slot != kNone) data_.rows.feature.push_back(tag_feature(slot, previous));
      }
      previous = data_.labels.add(sentence.tags[t]);
      end_row(previous);
    }
  }

  void end_row(std::uint32_t label) {
    data_.rows.begin.push_back(data_.rows.feature.size());
    data_.label.push_back(label);
  }

  // `previous` is a label, or kNone at the start of a sentence.
  std::uint32_t tag_feature(std::uint32_t slot, std::uint32_t previous) {
    if (slot >= by_slot_.size()) by_slot_.resize(slot + std::size_t{1});
    std::vector<std::uint32_t>& row = by_slot_[slot];
    const std::size_t column = previous + 1;  // kNone + 1 is 0
    if (column >= row.size()) row.resize(column + 1, kNone);
    if (row[column] == kNone) {
      const std::string_view tag =
          previous == kNone ? kSentenceStart : data_.labels.name(previous);
      row[column] = data_.features.add(with_tag(numbering_.slots().name(slot), tag));
    }
    return row[column];
  }

  Dataset& data_;
  FeatureTemplate templates_;
  std::uint32_t bias_;
  GrowingNumbering numbering_;
  std::optional<FeatureExtractor> extractor_;  // of spans
  std::optional<sequence::TokenIds> tokens_;   // of sequences
  std::vector<std::vector<std::uint32_t>> by_slot_;
};

/// Which domains know a column at all. A value that the source has and the target lacks
/// misleads: the source's model leans on it, and at the target it is missing.
class ColumnUse {
 public:
  void note(const Sentence& sentence, std::uint32_t domain) {
    if (domain >= known_.size()) known_.resize(domain + std::size_t{1});
    std::vector<bool>& known = known_[domain];
    known.resize(sentence.columns.size());
    for (std::size_t c = 0; c < known.size(); ++c) {
      known[c] =
          known[c] || std::ranges::any_of(sentence.columns[c],
                                          [](const auto& value) { return !value.empty(); });
    }
  }
  /// Columns with values in some domains and none in others.
  std::vector<std::string> lopsided(const std::vector<std::string>& names) const {
    std::vector<std::string> found;
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto knows = [c](const std::vector<bool>& known) {
        return c < known.size() && known[c];
      };
      if (std::ranges::any_of(known_, knows) && !std::ranges::all_of(known_, knows)) {
        found.push_back(names[c]);
      }
    }
    return found;
  }

 private:
  std::vector<std::vector<bool>> known_;  // [domains][columns]
};

// Whether one of the parts before the '=' is `column`, at any offset.
bool uses_column(std::string_view feature, std::string_view column) {
  std::string_view parts = feature.substr(0, feature.find('='));
  while (!parts.empty()) {
    const std::size_t end = std::min(parts.find('|'), parts.size());
    const std::string_view part = parts.substr(0, end);
    if (part.substr(0, part.find('[')) == column) return true;
    parts.remove_prefix(std::min(end + 1, parts.size()));
  }
  return false;
}

std::vector<std::uint32_t> drop_columns(Dataset& data,
                                        const std::vector<std::string>& columns) {
  std::vector<bool> keep(data.num_features(), true);
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    for (const std::string& column : columns) {
      if (uses_column(data.features.name(f), column)) keep[f] = false;
    }
  }
  return keep_features(data, keep);
}

/// Reads the files one after the other; the first one settles what is left to guess.
class TaggedFiles {
 public:
  TaggedFiles(const TaskOptions& task, const TaggedDatasetOptions& options)
      : options_(options) {
    result_.task = task;
    given_columns_ = task.columns;
    given_format_ = task.format;
  }

  void read(const DomainFile& file) {
    Dataset& data = result_.data;
    const std::uint32_t domain = data.domains.add(file.domain);
    const std::size_t before = data.num_examples();
    TaskOptions task = result_.task;
    task.columns = given_columns_;
    task.format = given_format_;
    SentenceOptions reading = reading_for(task, true);
    reading.skip_bad = options_.skip_bad;
    reading.stop = options_.stop;
    reading.digest = true;
    const auto reader = open_sentences(file.file, reading);
    std::size_t sentences = 0;
    for (Sentence sentence; reader->next(sentence); ++sentences) {
      if (sentences == 0) settle(*reader, file.file);
      builder_->add(sentence, domain, group(sentence, file.file, sentences));
      columns_.note(sentence, domain);
      if (reading.recase) count_forms(sentence);
    }
    result_.skipped += reader->skipped();
    data.sources.push_back(
        {file.file, reader->sha256(), data.num_examples() - before, file.domain});
  }

  TaggedDataset finish() {
    if (!builder_) {
      throw UsageError("no sentences were read",
                       "give at least one --domain NAME=FILE with sentences");
    }
    const TaskOptions& task = result_.task;
    if (task.has_builtin_features()) {
      result_.left_out_columns = columns_.lopsided(task.columns.extra_names());
    }
    if (!result_.left_out_columns.empty()) {
      builder_->renumber(drop_columns(result_.data, result_.left_out_columns));
    }
    if (options_.min_count > 1) {
      builder_->renumber(drop_rare_features(result_.data, options_.min_count));
    }
    builder_->finish();
    result_.mixed_forms = forms_.most_frequent();
    return std::move(result_);
  }

 private:
  void settle(const SentenceReader& reader, const std::string& file) {
    if (!builder_) {
      result_.task.columns = reader.columns();
      result_.task.format = reader.format();
      builder_.emplace(result_.task, result_.data, options_.bias);
      return;
    }
    const auto expected = result_.task.columns.extra_names();
    const auto found = reader.columns().extra_names();
    if (expected == found) return;
    throw UsageError(fmt::format("{} has the columns [{}], the files before it [{}]", file,
                                 fmt::join(found, ", "), fmt::join(expected, ", ")),
                     "give all files the same columns, or say with --columns which to use");
  }

  void count_forms(const Sentence& sentence) {
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      if (sentence.tags[t] == "Mixed") forms_.add(sentence.tokens[t], sentence.forms[t]);
    }
  }

  std::uint32_t group(const Sentence& sentence, const std::string& file,
                      std::size_t number) {
    NameIndex& groups = result_.data.groups;
    if (!sentence.document.empty()) return groups.add(sentence.document);
    const std::size_t first = number / kRunOfSentences * kRunOfSentences;
    return groups.add(fmt::format("{}:{}-{}", file, first + 1, first + kRunOfSentences));
  }

  TaggedDatasetOptions options_;
  ColumnChoice given_columns_;
  SentenceFormat given_format_;
  TaggedDataset result_;
  std::optional<TaggedBuilder> builder_;
  ColumnUse columns_;
  MixedFormCounter forms_;
};

}  // namespace

TaggedDataset read_tagged_dataset(const std::vector<DomainFile>& files,
                                  const TaskOptions& task,
                                  const TaggedDatasetOptions& options) {
  check_task(task.task);
  refuse_repeated_files(files);
  TaggedFiles reading(task, options);
  for (const DomainFile& file : files) reading.read(file);
  return reading.finish();
}

}  // namespace megadapt
