#include "cli/input_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "cli/label_map_option.hpp"
#include "megadapt/comparison.hpp"

namespace megadapt::cli {
namespace {

const std::string kInput = "Input";

}  // namespace

void add_input_options(CLI::App& command, InputOptions& options, bool with_target) {
  command
      .add_option(
          "-d,--domain", options.domains,
          "Rows of the domain NAME; repeat for more files and domains, - is standard "
          "input")
      ->type_name("NAME=FILE")
      ->required()
      ->allow_extra_args(false)
      ->group(kInput);
  if (with_target) {
    command
        .add_option("-t,--target", options.target,
                    "The domain to serve; may be left out when there is one domain")
        ->type_name("NAME")
        ->group(kInput);
  }
  add_format_option(command, options.format);
  add_map_labels_option(command, options.map_labels);
  command
      .add_option("--min-count", options.dataset.min_count,
                  "Drop features that occur in fewer rows than this")
      ->type_name("N")
      ->check(number_from(1))
      ->capture_default_str()
      ->group(kInput);
  command
      .add_option("--bin", options.dataset.bins,
                  "Turn real values into indicators of N quantiles; 0 keeps the values")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(kInput);
  add_text_options(command, options.dataset.read.text);
  command
      .add_flag("!--no-bias", options.dataset.bias,
                "Leave out the bias feature that every row gets")
      ->group(kInput);
}

void add_format_option(CLI::App& command, std::string& format) {
  restrict_to(command.add_option("--format", format, "Input format; guessed by content")
                  ->group(kInput),
              {"megam", "megam-fvals", "libsvm", "jsonl", "csv", "tsv"});
}

void add_text_options(CLI::App& command, TextOptions& options) {
  command
      .add_option("--word-ngrams", options.word_ngrams,
                  "CSV and TSV text: words and runs of up to N words")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(kInput);
  command
      .add_option("--char-ngrams", options.char_ngrams,
                  "CSV and TSV text: runs of up to N characters within a word; 0 for none")
      ->type_name("N")
      ->check(number_from(0))
      ->capture_default_str()
      ->group(kInput);
  command
      .add_flag("!--no-lower-case", options.lower_case,
                "CSV and TSV text: keep upper and lower case apart")
      ->group(kInput);
}

void add_model_argument(CLI::App& command, std::string& path, bool& no_verify) {
  command.add_option("MODEL", path, "The model file, - for standard input")
      ->type_name("FILE")
      ->required();
  command
      .add_flag("--no-verify", no_verify,
                "Skip the checksums of the model file (they guard against damage)")
      ->group("Model");
}

Format chosen_format(const std::string& name) {
  return name.empty() ? Format::guess : parse_format(name);
}

DomainFile parse_domain(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw UsageError(fmt::format("--domain {}: this is not NAME=FILE", text),
                     "write --domain news=news.txt");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Dataset read_input(InputOptions& options, const CommonOptions& common) {
  std::vector<DomainFile> files;
  for (const std::string& text : options.domains) files.push_back(parse_domain(text));
  options.dataset.read.format = chosen_format(options.format);
  std::optional<LabelMap> labels = read_label_map(options.map_labels);
  DatasetOptions dataset = options.dataset;
  dataset.read.label_map = labels ? &*labels : nullptr;
  Dataset data = read_dataset(files, dataset);
  if (labels) warn_of_unused(*labels, options.map_labels, false, common);
  return data;
}

Dataset read_test_input(const InputOptions& options, const std::string& path,
                        const Dataset& train, std::uint32_t target) {
  std::optional<LabelMap> labels = read_label_map(options.map_labels);
  ReadOptions read = options.dataset.read;
  read.format = chosen_format(options.format);
  read.label_map = labels ? &*labels : nullptr;
  read.domain = train.domains.name(target);
  return read_test_rows(path, train, target, read);
}

std::string chosen_target(const InputOptions& options, const Dataset& data) {
  const std::vector<std::string> names = data.domains.names();
  if (options.target.empty()) {
    if (names.size() == 1) return names[0];
    throw UsageError(
        fmt::format("there are {} domains and no --target", names.size()),
        fmt::format("say which one to serve: --target {}", fmt::join(names, " or ")));
  }
  if (data.domains.find(options.target) == kNone) {
    const std::string near = closest(options.target, names);
    throw UsageError(fmt::format("--target {}: there is no such domain", options.target),
                     near.empty()
                         ? fmt::format("the domains are {}", fmt::join(names, ", "))
                         : fmt::format("did you mean '{}'?", near));
  }
  return options.target;
}

std::vector<std::pair<std::string, std::string>> recorded_options(
    const InputOptions& options) {
  const TextOptions& text = options.dataset.read.text;
  std::vector<std::pair<std::string, std::string>> all = {
      {"format", options.format.empty() ? "guess" : options.format},
      {"min-count", fmt::to_string(options.dataset.min_count)},
      {"bin", fmt::to_string(options.dataset.bins)},
      {"word-ngrams", fmt::to_string(text.word_ngrams)},
      {"char-ngrams", fmt::to_string(text.char_ngrams)},
      {"lower-case", text.lower_case ? "true" : "false"},
      {"bias", options.dataset.bias ? "true" : "false"}};
  if (!options.map_labels.empty()) all.emplace_back("map-labels", options.map_labels);
  return all;
}

ReadOptions reading_for(const Model& model, const std::string& format, bool labelled) {
  return {.format = chosen_format(format), .labelled = labelled, .text = model.info.text};
}

}  // namespace megadapt::cli
