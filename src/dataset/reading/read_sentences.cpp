#include "dataset/reading/read_sentences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "dataset/empty_domains.hpp"
#include "dataset/reading/tagged_builder.hpp"
#include "dataset/reduce_features.hpp"
#include "dataset/row_checks.hpp"
#include "features/features.hpp"
#include "sentences/case.hpp"
#include "sentences/token_context.hpp"

namespace megadapt {
namespace {

/// Records which domains have any values in a column. A column that only the source has is
/// harmful: the source's model relies on it, and at the target it is missing.
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
  /// Returns the columns with values in some domains and none in others.
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

// Returns whether one of the parts before the '=' is `column`, at any offset.
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

// Returns the columns among `columns` that some feature of the data is made from.
std::vector<std::string> used_columns(const Dataset& data,
                                      const std::vector<std::string>& columns) {
  std::vector<std::string> used;
  for (const std::string& column : columns) {
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      if (!uses_column(data.features().name(f), column)) continue;
      used.push_back(column);
      break;
    }
  }
  return used;
}

std::vector<std::uint32_t> drop_columns(Dataset& data,
                                        const std::vector<std::string>& columns) {
  std::vector<bool> keep(data.num_features(), true);
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    for (const std::string& column : columns) {
      if (uses_column(data.features().name(f), column)) keep[f] = false;
    }
  }
  return keep_features(data, keep);
}

/// Reads the files in order. The first one decides what the recipe leaves open.
class TaggedFiles {
 public:
  TaggedFiles(const Recipe& recipe, const ReadControl& control)
      : given_(*recipe.task), recipe_(recipe), control_(control) {
    if (!control.vocabulary) return;
    data_.own_schema().features = control.vocabulary->features;
    data_.own_schema().labels = control.vocabulary->labels;
  }

  void read(const DomainFile& file) {
    const std::uint32_t domain = data_.own_schema().domains.add(file.domain);
    const std::size_t before = data_.num_examples();
    const auto reader = open_sentences(file.file, sentence_reading(given_, control_));
    const bool recase = given_.task == "recap";
    std::size_t sentences = 0;
    for (Sentence sentence; reader->next(sentence); ++sentences) {
      if (sentences == 0) settle(*reader, file.file);
      builder_->add(sentence, domain, group(sentence, file.file, sentences));
      columns_.note(sentence, domain);
      if (recase) count_forms(sentence);
      if (control_.texts_of) add_texts(sentence, file.domain, *control_.texts_of, data_);
    }
    notes_.skipped += reader->skipped();
    data_.sources.push_back(
        {file.file, reader->sha256(), data_.num_examples() - before, file.domain});
  }

  Dataset finish() {
    if (!builder_) {
      throw UsageError("no sentences were read",
                       "give at least one --domain NAME=FILE with sentences");
    }
    drop_empty_domains(data_);
    TaskOptions& task = *recipe_.task;
    const auto lopsided = columns_.lopsided(task.columns.extra_names());
    if (task.has_builtin_features()) {
      notes_.left_out_columns = lopsided;
      task.features = builtin_features(task.task, task.classes);
    } else {
      notes_.uneven_columns = used_columns(data_, lopsided);
    }
    if (!notes_.left_out_columns.empty()) {
      builder_->renumber(drop_columns(data_, notes_.left_out_columns));
    }
    if (recipe_.min_count > 1) {
      builder_->renumber(drop_rare_features(data_, recipe_.min_count));
    }
    builder_->finish(task.scheme);
    if (task.format != SentenceFormat::prose) task.tokens = builder_->token_rules();
    if (!task.spans()) task.scheme = scheme_name(data_.schema->scheme);
    recipe_.mixed_forms = forms_.most_frequent();
    data_.recipe = std::make_shared<Recipe>(std::move(recipe_));
    if (control_.notes) *control_.notes = std::move(notes_);
    return std::move(data_);
  }

 private:
  void settle(const SentenceReader& reader, const std::string& file) {
    TaskOptions& task = *recipe_.task;
    if (!builder_) {
      task.columns = reader.columns();
      task.format = reader.format();
      builder_.emplace(data_, recipe_);
      return;
    }
    const auto expected = task.columns.extra_names();
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
    if (sentence.document.empty()) return builder_->group_of_run(file, number);
    return data_.own_groups().add(sentence.document);
  }

  TaskOptions given_;  // the caller's options; every file is read by them
  Recipe recipe_;
  const ReadControl& control_;
  ReadNotes notes_;
  Dataset data_;
  std::optional<TaggedBuilder> builder_;
  ColumnUse columns_;
  sentences::MixedFormCounter forms_;
};

}  // namespace

SentenceOptions sentence_reading(const TaskOptions& task, const ReadControl& control) {
  SentenceOptions reading = reading_for(task, true);
  reading.skip_bad = control.skip_bad;
  reading.stop = control.stop;
  reading.digest = true;
  return reading;
}

void add_texts(const Sentence& sentence, std::string_view domain,
               std::string_view wanted_domain, Dataset& data) {
  const bool wanted = wanted_domain.empty() || domain == wanted_domain;
  for (std::size_t t = 0; data.text.size() < data.num_examples(); ++t) {
    data.text.push_back(wanted ? token_context(sentence, t).text() : "");
  }
}

Dataset read_sentences(const std::vector<DomainFile>& files, const Recipe& recipe,
                       const ReadControl& control) {
  check_task(recipe.task->task);
  refuse_repeated_files(files);
  TaggedFiles reading(recipe, control);
  for (const DomainFile& file : files) reading.read(file);
  return reading.finish();
}

}  // namespace megadapt
