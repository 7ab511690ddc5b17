// megadapt features: shows the features that the templates of a task make from text.

#include "features/features.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "dataset/reading/sequence_encoder.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt::cli {
namespace {

struct FeaturesOptions {
  RecipeOptions reading;
  std::string input = "-";
  std::string output = "-";
  bool templates = false;
};

/// One line per row: token or span, a tab, its features; `?` is the previous tag.
class FeatureLines final : public FeatureSink {
 public:
  FeatureLines(AtomicFile& out, bool json) : out_(out), json_(json) {}

  void begin(const Sentence& sentence) {
    sentence_ = &sentence;
    row_ = 0;
  }
  void feature(std::string_view name) override { names_.emplace_back(name); }
  void tag_feature(std::size_t, std::string_view before, std::string_view after) override {
    names_.push_back(fmt::format("{}?{}", before, after));
  }
  void end_token() override {
    out_.write(json_ ? json_line()
                     : fmt::format("{}\t{}\n", shown(), fmt::join(names_, " ")));
    names_.clear();
    ++row_;
  }

 private:
  std::string shown() const {
    const Sentence& sentence = *sentence_;
    if (!sentence.is_span) return std::string(sentence.forms[row_]);
    return fmt::format("{}", fmt::join(sentence.forms.begin() + begin_of(sentence),
                                       sentence.forms.begin() + end_of(sentence), " "));
  }
  static std::ptrdiff_t begin_of(const Sentence& sentence) {
    return static_cast<std::ptrdiff_t>(sentence.span_begin);
  }
  static std::ptrdiff_t end_of(const Sentence& sentence) {
    return static_cast<std::ptrdiff_t>(sentence.span_end);
  }
  std::string json_line() const {
    nlohmann::ordered_json line{{sentence_->is_span ? "span" : "token", shown()}};
    if (row_ < sentence_->tags.size()) line["label"] = sentence_->tags[row_];
    line["features"] = names_;
    return json_text(line) + "\n";
  }

  AtomicFile& out_;
  bool json_;
  const Sentence* sentence_ = nullptr;
  std::size_t row_ = 0;
  std::vector<std::string> names_;
};

int show_features(const FeaturesOptions& options, const CommonOptions& common) {
  TaskOptions task = make_task(options.reading, common.threads);
  if (options.templates) {
    return print(task.template_text(), options.output);
  }
  // Tags are shown where the input has them; they may be missing.
  SentenceOptions reading = megadapt::reading_for(task, false);
  reading.tags_optional = true;
  reading.skip_bad = options.reading.skip_bad;
  reading.stop = stop_flag();
  const auto reader = open_sentences(options.input, reading);
  GracefulStop graceful;
  AtomicFile out(options.output);
  FeatureLines lines(out, common.json);
  std::optional<FeatureTemplate> templates;
  std::optional<FeatureExtractor> extractor;
  for (Sentence sentence; reader->next(sentence);) {
    if (*stop_flag()) throw Interrupted();
    if (!extractor) {
      task.columns = reader->columns();
      templates.emplace(template_of(task));
      extractor.emplace(*templates, task.gazetteers, task.language);
    }
    lines.begin(sentence);
    extractor->extract(sentence, lines);
    if (!common.json && !sentence.is_span) out.write("\n");
  }
  out.commit();
  if (reader->skipped() > 0) {
    common.note("left out {}", counted(reader->skipped(), "bad sentence"));
  }
  return kSuccess;
}

}  // namespace

void add_features(CLI::App& app, Context& context) {
  auto options = std::make_shared<FeaturesOptions>();
  CLI::App* command =
      new_command(app, "features", "Show the features that a task extracts from text",
                  "megadapt features --task pos < news.conll", context.common);
  add_input_argument(*command, options->input, "The sentences");
  add_recipe_options(
      *command,
      {"task", "features", "gazetteer", "word-classes", "word-vectors", "vector-classes",
       "columns", "scheme", "language", "skip-bad-lines", "format"},
      options->reading);
  command->get_option("--task")->required()->description("Task whose features are shown");
  restrict_to(command->get_option("--format"), {"conll", "conllu", "text", "jsonl"});
  Section(*command, "Output")
      .flag("--templates", options->templates,
            "Print the task's templates, as a start for your own");
  add_output_option(*command, options->output);
  set_action(*command, context, options, show_features);
}

}  // namespace megadapt::cli
