// megadapt convert: writes rows of any input format in another format.

#include <fmt/format.h>

#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "corpus/row_writer.hpp"

namespace megadapt::cli {
namespace {

struct ConvertOptions : RowOptions {
  std::string to;
  std::string vocabulary;
  bool lossy = false;
  RecipeOptions reading;
};

// Writes index<TAB>name lines; libsvm numbers features from 1.
void write_vocabulary(const NameIndex& names, AtomicFile& out) {
  for (std::uint32_t id = 0; id < names.size(); ++id) {
    out.write(fmt::format("{}\t{}\n", id + 1, names.name(id)));
  }
  out.commit();
}

int convert(const ConvertOptions& options, const CommonOptions& common) {
  const Format to = parse_format(options.to);
  if (!options.vocabulary.empty() && to != Format::libsvm) {
    throw UsageError("--vocabulary numbers features for libsvm only", "add --to libsvm");
  }
  const auto reader = open_rows(options.input, {.format = chosen_format(options.format),
                                                .labelled = !reads_without_labels(options),
                                                .text = options.reading.text,
                                                .columns = options.reading.column_names,
                                                .needs_columns = true,
                                                .stop = stop_flag()});
  NameIndex names;
  const bool numbers = !options.vocabulary.empty();
  const auto writer =
      corpus::make_row_writer(to, options.lossy, numbers ? &names : nullptr);

  // Open outputs after the input: if the input is missing, no output file is made.
  GracefulStop graceful;
  AtomicFile out(options.output);
  std::optional<AtomicFile> vocabulary;
  if (numbers) vocabulary.emplace(options.vocabulary);
  std::string line;
  std::size_t rows = 0;
  for (Row row; reader->next(row); ++rows) {
    if (*stop_flag()) throw Interrupted();
    line.clear();
    writer->write(row, reader->place(), line);
    out.write(line);
  }
  out.commit();
  if (numbers) write_vocabulary(names, *vocabulary);
  common.detail("{} from {} to {}", counted(rows, "row"), format_name(reader->format()),
                options.to);
  return kSuccess;
}

}  // namespace

void add_convert(CLI::App& app, Context& context) {
  auto options = std::make_shared<ConvertOptions>();
  CLI::App* command =
      new_command(app, "convert", "Write rows in another format",
                  "megadapt convert news.csv --to megam -o news.txt", context.common);
  add_row_options(*command, *options, "The rows");
  add_unlabelled_option(*command, *options);
  add_recipe_options(*command,
                     {"word-ngrams", "char-ngrams", "lower-case", "text-weights",
                      "label-column", "text-column", "number-columns", "category-columns"},
                     options->reading);
  Section output(*command, "Output");
  output
      .choice("--to", options->to, "Output format",
              {"megam", "megam-fvals", "libsvm", "jsonl"})
      ->required();
  add_output_option(*command, options->output);
  output.value("--vocabulary", options->vocabulary,
               "libsvm: number the features, and write INDEX<TAB>NAME lines to this file",
               "FILE");
  output.flag(
      "--lossy", options->lossy,
      "Drop weights, domains, groups and ids if the output format has no place for them");
  set_action(*command, context, options, convert);
}

}  // namespace megadapt::cli
