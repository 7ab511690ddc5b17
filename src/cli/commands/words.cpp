// megadapt words cluster|near: classes of words from text, and what they hold.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/text/progress_bar.hpp"
#include "container/container.hpp"
#include "corpus/lines.hpp"
#include "megadapt/model.hpp"
#include "words/cluster.hpp"
#include "words/vectors.hpp"

namespace megadapt::cli {
namespace {

struct ClusterCommand {
  std::vector<std::string> files;
  std::string output = "-";
  std::string sizes = words::kUsualSizes;
  std::string format;
  std::uint64_t min_count = words::ClusterOptions().min_count;
  int rounds = words::ClusterOptions().rounds;
  words::ClusterOptions options;
};

int cluster(ClusterCommand& command, const CommonOptions& common) {
  words::ClusterOptions& options = command.options;
  options.sizes = words::parse_sizes("classes", command.sizes);
  options.min_count = command.min_count;
  options.rounds = command.rounds;
  options.seed = common.seed;
  options.stop = stop_flag();
  if (!command.format.empty()) options.format = parse_sentence_format(command.format);
  if (common.json && command.output == "-") {
    throw UsageError("--json and the table cannot both go to standard output",
                     "name a file for the table: -o classes.tsv");
  }
  AtomicFile out(command.output);
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  GracefulStop graceful;
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  options.on_round = [&](int round, std::size_t moved, double log_likelihood) {
    bar.update({.stage = "exchanging words",
                .fraction = static_cast<double>(round) / options.rounds});
    common.detail("round {}: {} words moved, perplexity {:.1f}", round, moved,
                  std::exp(-log_likelihood));
  };
  options.on_merge = [&](double share) {
    bar.update({.stage = "merging classes", .fraction = share});
  };
  const words::Clusters made = words::cluster_words(command.files, options, exec);
  bar.clear();
  out.write(made.table());
  out.commit();
  if (!common.json) {
    common.note("{} tokens, {} words in {} classes, perplexity {:.1f}", made.tokens,
                made.words.size(), options.sizes.back(),
                std::exp(-made.log_likelihood.back()));
    return kSuccess;
  }
  return print(json_text(nlohmann::ordered_json{{"tokens", made.tokens},
                                                {"words", made.words.size()},
                                                {"classes", options.sizes},
                                                {"log_likelihood", made.log_likelihood},
                                                {"file", command.output}},
                         2) +
               "\n");
}

void add_cluster(CLI::App& words, Context& context) {
  auto command = std::make_shared<ClusterCommand>();
  CLI::App* app = new_command(
      words, "cluster", "Group words into classes by the text around them",
      "megadapt words cluster news.txt mails.txt -o classes.tsv", context.common);
  app->add_option("TEXT", command->files,
                  "Files of text or sentences, gzip and zstd too; - is standard input")
      ->type_name("FILE")
      ->required();
  Section clustering(*app, "Clustering");
  clustering.value("-k,--classes", command->sizes,
                   "Numbers of classes, separated by commas; the smaller ones merge "
                   "classes of the largest",
                   "LIST");
  clustering.value("--min-count", command->min_count,
                   "Words that occur less often get no class", "N", number_from(1));
  clustering.value("--rounds", command->rounds,
                   "Most rounds; in a round every word may move to a better class", "N",
                   number_from(1));
  clustering.flag("--lower-case", command->options.lower_case,
                  "Do not distinguish upper and lower case");
  Section input(*app, "Input");
  input.choice("--format", command->format,
               "Format of the files (default: guessed from the content)",
               {"text", "prose", "conll", "conllu", "jsonl"});
  input.flag("--split-contractions", command->options.tokens.split_contractions,
             "Prose: split don't into do n't, as many tagged corpora do");
  input.flag("--split-hyphens", command->options.tokens.split_hyphens,
             "Prose: split front-end into front - end");
  add_output_option(*app, command->output);
  set_action(*app, context, command, cluster);
}

struct NearCommand {
  std::string word;
  std::string file;
  std::size_t count = 10;
};

using Near = nlohmann::ordered_json;

// The classes of the word, each with its first words.
Near near_in_classes(const WordClasses& classes, const NearCommand& command) {
  if (classes.empty()) {
    throw UsageError(fmt::format("{}: the model has no word classes", command.file),
                     "give a model trained with --word-classes or --word-vectors");
  }
  const auto ids = classes.find(command.word);
  if (ids.empty()) words::refuse_unknown_word(command.word);
  Near list = Near::array();
  for (std::size_t c = 0; c < ids.size(); ++c) {
    if (ids[c] == kNone) continue;
    const std::string& column = classes.columns()[c];
    const std::string name(classes.name(ids[c]));
    list.push_back({{"column", column},
                    {"class", name},
                    {"words", classes.examples(column, name, command.count)}});
  }
  return list;
}

Near near_by_vectors(const words::VectorTable& table, const NearCommand& command) {
  Near list = Near::array();
  for (const auto& [word, cosine] :
       words::nearest_words(table, command.word, command.count)) {
    list.push_back({{"word", word}, {"cosine", cosine}});
  }
  return list;
}

// The file is a model, a table of classes (with tabs) or a table of vectors.
Near near_in_file(const NearCommand& command) {
  const std::string name = corpus::display_name(command.file);
  auto source = corpus::open_stored(command.file, stop_flag());
  if (command.file == "-" || source->may_wait()) {
    throw UsageError(fmt::format("{} cannot be read twice, as words near reads FILE", name),
                     "write it to a file, and give that");
  }
  corpus::LineReader lines(corpus::decompressed(std::move(source), name), name);
  const std::string head(lines.peek(4096));
  if (head.starts_with(kMagic)) {
    return near_in_classes(load_model(command.file).recipe->classes(), command);
  }
  if (head.substr(0, head.find('\n')).find('\t') != head.npos) {
    return near_in_classes(read_word_classes(command.file), command);
  }
  return near_by_vectors(words::read_vectors(command.file), command);
}

int show_near(const NearCommand& command, const CommonOptions& common) {
  const Near list = near_in_file(command);
  if (common.json) return print(json_text(list, 2) + "\n");
  std::string lines;
  for (const auto& item : list) {
    lines +=
        item.contains("word")
            ? fmt::format("{:.3f}  {}\n", item["cosine"].get<double>(),
                          item["word"].get<std::string>())
            : fmt::format("{}={}: {}\n", item["column"].get<std::string>(),
                          item["class"].get<std::string>(),
                          fmt::join(item["words"].get<std::vector<std::string>>(), ", "));
  }
  return print(lines);
}

void add_near(CLI::App& words, Context& context) {
  auto command = std::make_shared<NearCommand>();
  CLI::App* app = new_command(words, "near",
                              "Show the words nearest to a word: those of its classes, or "
                              "those with the nearest vectors",
                              "megadapt words near monday classes.tsv", context.common);
  app->add_option("WORD", command->word, "The word")->required();
  app->add_option("FILE", command->file,
                  "A table of classes, a table of vectors, or a model with classes")
      ->type_name("FILE")
      ->required();
  Section(*app, "Output")
      .value("-n,--count", command->count, "Number of words to show", "N", number_from(1));
  set_action(*app, context, command, show_near);
}

}  // namespace

void add_words(CLI::App& app, Context& context) {
  CLI::App* words = new_command(
      app, "words",
      "Group words into classes, which serve as features, or show similar words",
      "megadapt words cluster news.txt -o classes.tsv", context.common);
  words->require_subcommand(1);
  add_cluster(*words, context);
  add_near(*words, context);
}

}  // namespace megadapt::cli
