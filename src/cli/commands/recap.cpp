// megadapt recap: lower-cased running text in, the same text with its case restored out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/task_arguments.hpp"
#include "cli/streaming/row_predictor.hpp"
#include "cli/streaming/sentence_pipeline.hpp"
#include "decoding/decoding.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt::cli {
namespace {

struct RecapOptions {
  std::string model;
  bool no_verify = false;
  std::string input = "-";
  std::string output = "-";
  std::string as_domain;
};

TaskOptions recap_task(const Model& model) {
  TaskOptions task = task_of(model, "recap");
  if (task.task != "recap") {
    throw UsageError(fmt::format("the model is of the task '{}', not recap", task.task),
                     "use 'megadapt tag', or train with --task recap");
  }
  return task;
}

void recap_sentences(const Model& model, const RecapOptions& options, AtomicFile& out,
                     const Execution& exec) {
  const TaskOptions task = recap_task(model);
  const auto reader = open_sentences(options.input, reading_for(task, "text", "", false));
  SentencePipeline pipeline(*reader, options.input, exec);
  const TagTransitions free(static_cast<std::uint32_t>(model.labels.size()));
  std::vector<EncodedSentence> encoded;
  for (std::size_t slot = 0; slot < pipeline.slots(); ++slot) {
    encoded.emplace_back(model, task, fallback_domain(model, options.as_domain));
  }
  std::vector<std::string> text(pipeline.slots());
  pipeline.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        text[slot].clear();
        std::vector<std::string> words;
        for (const Sentence& sentence : sentences) {
          encoded[slot].read(sentence);
          const TagSequence best = best_tags(encoded[slot], free);
          words.clear();
          for (std::size_t t = 0; t < best.tags.size(); ++t) {
            words.push_back(
                recase(sentence.tokens[t], model.labels[best.tags[t]], model.mixed_forms));
          }
          append_replaced(sentence, words, text[slot]);
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) { out.write(text[slot]); },
      [&] { out.flush(); });
  out.write(pipeline.rest());
}

int recap(const RecapOptions& options, const CommonOptions& common) {
  const Model model = load_model(options.model, !options.no_verify);
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(options.output);
  std::optional<GracefulStop> graceful;
  if (options.output != "-") graceful.emplace();
  try {
    recap_sentences(model, options, out, exec);
  } catch (const InputError&) {
    if (options.output == "-") out.flush();
    throw;
  }
  out.commit();
  return kSuccess;
}

}  // namespace

void add_recap(CLI::App& app, Context& context) {
  auto options = std::make_shared<RecapOptions>();
  CLI::App* command =
      new_command(app, "recap", "Give lower-cased text its case back",
                  "megadapt recap recap.mega < lowercase.txt", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  command
      ->add_option("INPUT", options->input,
                   "Text, one tokenised sentence a line, - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--as-domain", options->as_domain,
                   "Treat the text as of this domain; else the target")
      ->type_name("NAME")
      ->group("Input");
  command
      ->add_option("-o,--output", options->output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  command->callback([options, &context] {
    context.action = [options, &context] { return recap(*options, context.common); };
  });
}

}  // namespace megadapt::cli
