#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/features.hpp"
#include "megadapt/recasing.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt {

/// A tagging task: how files are read and which features their tokens have. A model keeps
/// it, so that text is tagged as the training data was read.
struct TaskOptions {
  std::string task = "pos";  ///< pos, mention, mention-type, recap or chunk
  SentenceFormat format = SentenceFormat::guess;
  ColumnChoice columns = {};
  std::string features = {};               ///< the template; "": the built-in set of `task`
  std::string features_name = "features";  ///< what messages call it
  std::string scheme = {};                 ///< of the tags; read by the decoder alone
  std::string language = "english";
  std::vector<Gazetteer> gazetteers = {};

  bool has_builtin_features() const;
  bool spans() const { return task == "mention-type"; }  ///< one label per marked span
};

/// UsageError with a suggestion unless `name` is a task.
void check_task(std::string_view name);
std::vector<std::string> task_names();

/// Everything of `task` as one line of JSON, and back. Throws ModelFileError.
std::string to_text(const TaskOptions& task);
TaskOptions task_from_text(std::string_view text);

/// How the files of `task` are read.
SentenceOptions reading_for(const TaskOptions& task, bool labelled);

/// The templates of `task`, whose columns are known. Throws InputError.
FeatureTemplate template_of(const TaskOptions& task);

struct TaggedDatasetOptions {
  bool bias = true;
  int min_count = 1;      ///< features in fewer rows than this are dropped
  bool skip_bad = false;  ///< leave out sentences that cannot be used
  const std::atomic<bool>* stop = nullptr;
};

/// Reads the files of a task. Rows are tokens, with the features of the gold previous tag,
/// or marked spans. Groups are documents, or runs of 50 sentences of a file without
/// documents. `task.columns` and `task.format` become what was found in the files; all must
/// agree in the names of their columns. Throws InputError, UsageError.
struct TaggedDataset {
  Dataset data;
  TaskOptions task;
  std::size_t skipped = 0;  ///< bad sentences left out
  /// Columns that some domain never knows: the built-in sets make no features of them.
  std::vector<std::string> left_out_columns;
  MixedForms mixed_forms = {};  ///< of recap: what to write for words of mixed case
};
TaggedDataset read_tagged_dataset(const std::vector<DomainFile>& files,
                                  const TaskOptions& task,
                                  const TaggedDatasetOptions& options = {});

/// Turns sentences into ids of a fixed vocabulary, for decoding. One per thread.
class SequenceEncoder {
 public:
  /// `features` must outlive the encoder. `tags` are the labels in the order of their ids.
  SequenceEncoder(const TaskOptions& task, NameIndexView features,
                  const std::vector<std::string>& tags);
  ~SequenceEncoder();
  SequenceEncoder(SequenceEncoder&&) noexcept;

  /// What follows describes `sentence` until the next call.
  void encode(const Sentence& sentence);
  std::size_t size() const;  ///< rows: tokens, or 1 for a span
  /// Known features of row `t`, the bias included; no features of tags.
  std::span<const std::uint32_t> context(std::size_t t) const;
  std::size_t num_tag_templates() const;
  /// The feature of tag template `k` at row `t` after the tag `previous`, where
  /// tags.size() is the start of the sentence; kNone when training never saw it. The span
  /// is [tags + 1], or empty where the template gives no feature.
  std::span<const std::uint32_t> tag_features(std::size_t t, std::size_t k) const;
  std::size_t unseen() const;  ///< context features left out so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
