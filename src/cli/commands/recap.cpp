// megadapt recap: restores the case of lower-cased running text.

#include <fmt/format.h>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "inference/stream.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::cli {
namespace {

void recap_sentences(const Tagger& tagger, const ModelRowOptions& options, AtomicFile& out,
                     const Execution& exec) {
  if (tagger.task().task != "recap") {
    throw UsageError(fmt::format("the model was trained for the task '{}', not recap",
                                 tagger.task().task),
                     "use 'megadapt tag', or train with --task recap");
  }
  SentenceStream stream(
      tagger, options.input,
      {.format = options.format, .as_domain = options.as_domain, .stop = stop_flag()},
      exec);
  write_each(stream, out, [](const Sentence& sentence, auto& worker, std::string& text) {
    worker.read(sentence);
    append_replaced(sentence, worker.recased(), text);
  });
  out.write(stream.rest());
}

int recap(const ModelRowOptions& options, const CommonOptions& common) {
  const Tagger tagger = tagger_for("recap", options.model, !options.no_verify);
  return stream_to(options.output, common, [&](AtomicFile& out, const Execution& exec) {
    recap_sentences(tagger, options, out, exec);
  });
}

}  // namespace

void add_recap(CLI::App& app, Context& context) {
  auto options = std::make_shared<ModelRowOptions>();
  CLI::App* command =
      new_command(app, "recap", "Restore the capital letters of lower-cased text",
                  "megadapt recap recap.mega < lowercase.txt", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  add_input_argument(*command, options->input, "The text");
  Section(*command, "Input")
      .choice("--format", options->format,
              "text: one tokenised sentence a line; prose: running text (default: guessed "
              "from the content)",
              {"text", "prose"});
  add_as_domain_option(*command, *options, "Domain of the text (default: the target)");
  add_output_option(*command, options->output);
  set_action(*command, context, options, recap);
}

}  // namespace megadapt::cli
