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
#include "inference/stream.hpp"
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

void recap_sentences(const Tagger& tagger, const RecapOptions& options, AtomicFile& out,
                     const Execution& exec) {
  if (tagger.task().task != "recap") {
    throw UsageError(
        fmt::format("the model is of the task '{}', not recap", tagger.task().task),
        "use 'megadapt tag', or train with --task recap");
  }
  SentenceStream stream(
      tagger, options.input,
      {.format = "text", .as_domain = options.as_domain, .stop = stop_flag()}, exec);
  std::vector<std::string> text(stream.slots());
  stream.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        Tagger::Worker& worker = stream.worker(slot);
        text[slot].clear();
        for (const Sentence& sentence : sentences) {
          worker.read(sentence);
          append_replaced(sentence, worker.recased(), text[slot]);
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) { out.write(text[slot]); },
      [&] { out.flush(); });
  out.write(stream.rest());
}

int recap(const RecapOptions& options, const CommonOptions& common) {
  const Tagger tagger = tagger_for("recap", options.model, !options.no_verify);
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(options.output);
  std::optional<GracefulStop> graceful;
  if (options.output != "-") graceful.emplace();
  try {
    recap_sentences(tagger, options, out, exec);
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
