// megadapt tag: text in, the same text with a column of predicted tags out.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/task_arguments.hpp"
#include "inference/stream.hpp"

namespace megadapt::cli {
namespace {

struct TagOptions {
  std::string model;
  bool no_verify = false;
  std::string input = "-";
  std::string format;
  std::string columns;
  std::string output = "-";
  std::string as_domain;
  std::size_t beam = 0;
  std::size_t n_best = 0;
  bool marginals = false;
  bool skip_bad = false;
};

/// What is said of one sentence.
class TaggedText {
 public:
  TaggedText(const Sentence& sentence, Tagger::Worker& worker,
             const std::vector<std::string>& labels, const TagOptions& options)
      : worker_(worker), labels_(labels), options_(options) {
    worker.read(sentence);
    if (options.n_best > 0) {
      best_ = worker.n_best(options.n_best);
    } else {
      best_.push_back(worker.best(options.beam));
    }
    if (options.marginals) marginals_ = worker.marginals();
  }

  /// The new columns of row `t`, `separator` between them. Where there are fewer sequences
  /// than asked for, `_` fills up.
  std::string columns(std::size_t t, char separator) const {
    std::string text;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.n_best); ++i) {
      if (i > 0) text += separator;
      text += i < best_.size() ? labels_[best_[i].tags[t]] : "_";
    }
    if (options_.marginals) {
      text += fmt::format("{}{:.6g}", separator, marginal(t, best_[0].tags[t]));
    }
    return text;
  }

  /// {tokens, tags, log_probability, nbest, marginals, general}, on one line.
  std::string json(const Sentence& sentence) const {
    nlohmann::ordered_json line;
    line["tokens"] = sentence.forms.empty() ? sentence.tokens : sentence.forms;
    line["tags"] = names(best_[0]);
    line["log_probability"] = best_[0].log_probability;
    if (options_.n_best > 0) {
      for (const TagSequence& sequence : best_) {
        line["nbest"].push_back(
            {{"tags", names(sequence)}, {"log_probability", sequence.log_probability}});
      }
    }
    for (std::size_t t = 0; options_.marginals && t < size(); ++t) {
      nlohmann::ordered_json token = nlohmann::ordered_json::object();
      for (std::uint32_t y = 0; y < labels_.size(); ++y) token[labels_[y]] = marginal(t, y);
      line["marginals"].push_back(token);
    }
    for (std::size_t t = 0; t < size(); ++t) {
      if (const auto general = worker_.general(t)) line["general"].push_back(*general);
    }
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  std::size_t size() const { return worker_.size(); }

 private:
  double marginal(std::size_t t, std::uint32_t tag) const {
    return marginals_[t * labels_.size() + tag];
  }
  std::vector<std::string> names(const TagSequence& sequence) const {
    std::vector<std::string> all;
    for (const std::uint32_t tag : sequence.tags) all.push_back(labels_[tag]);
    return all;
  }

  const Tagger::Worker& worker_;
  const std::vector<std::string>& labels_;
  const TagOptions& options_;
  std::vector<TagSequence> best_;
  std::vector<double> marginals_;  // [T][Y]
};

// What stands between new columns: what stands between those of the first line, which may
// be the only one.
char column_separator(const Sentence& sentence, SentenceFormat format) {
  if (format != SentenceFormat::conll && format != SentenceFormat::conllu) return ':';
  const std::string_view raw = sentence.raw;
  const std::size_t end = sentence.line_ends.front();
  const std::size_t start = raw.rfind('\n', end == 0 ? 0 : end - 1) + 1;  // npos + 1 is 0
  const std::string_view line = raw.substr(start, end - start);
  const bool spaces = line.find('\t') == line.npos && line.find(' ') != line.npos;
  return spaces ? ' ' : '\t';
}

void append_columns(const TaggedText& tagged, const Sentence& sentence,
                    SentenceFormat format, std::string& out) {
  const char separator = tagged.size() > 0 ? column_separator(sentence, format) : ' ';
  std::vector<std::string> columns;
  for (std::size_t t = 0; t < tagged.size(); ++t) {
    columns.push_back(tagged.columns(t, separator));
  }
  append_tagged(sentence, format, {columns.begin(), columns.end()}, out);
}

void tag_sentences(const Tagger& tagger, const TagOptions& options,
                   const CommonOptions& common, AtomicFile& out, const Execution& exec) {
  SentenceStream stream(tagger, options.input,
                        {.format = options.format,
                         .columns = options.columns,
                         .as_domain = options.as_domain,
                         .skip_bad = options.skip_bad,
                         .stop = stop_flag()},
                        exec);
  std::vector<std::string> text(stream.slots());
  stream.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        text[slot].clear();
        for (const Sentence& sentence : sentences) {
          const TaggedText tagged(sentence, stream.worker(slot), tagger.labels(), options);
          if (common.json) {
            text[slot] += tagged.json(sentence);
          } else {
            append_columns(tagged, sentence, stream.reader().format(), text[slot]);
          }
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) { out.write(text[slot]); },
      [&] { out.flush(); });
  if (!common.json) out.write(stream.rest());
  if (stream.reader().skipped() > 0) {
    common.note("{} left out", counted(stream.reader().skipped(), "bad sentence"));
  }
}

int tag(const TagOptions& options, const CommonOptions& common) {
  const Tagger tagger = tagger_for("tag", options.model, !options.no_verify);
  Execution exec(common.threads);
  exec.set_stop_flag(stop_flag());
  AtomicFile out(options.output);
  // Only a file needs cleaning up; on a pipe Ctrl-C may end the program at once.
  std::optional<GracefulStop> graceful;
  if (options.output != "-") graceful.emplace();
  try {
    tag_sentences(tagger, options, common, out, exec);
  } catch (const InputError&) {
    if (options.output == "-") out.flush();  // the sentences before the bad one
    throw;
  }
  out.commit();
  return kSuccess;
}

}  // namespace

void add_tag(CLI::App& app, Context& context) {
  auto options = std::make_shared<TagOptions>();
  CLI::App* command =
      new_command(app, "tag", "Tag sentences with a model of a task",
                  "megadapt tag pos.mega < new.conll > tagged.conll", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  command->add_option("INPUT", options->input, "The text to tag, - for standard input")
      ->type_name("FILE")
      ->capture_default_str();
  add_sentence_input_options(*command, options->format, options->columns,
                             options->as_domain);
  add_skip_bad_option(*command, options->skip_bad);
  const std::string group = "Output";
  command
      ->add_option("-o,--output", options->output, "Where to write, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group(group);
  command
      ->add_flag("--marginals", options->marginals,
                 "After the tag, its probability given the whole sentence")
      ->group(group);
  CLI::Option* n_best = command
                            ->add_option("--nbest", options->n_best,
                                         "The N most probable tag sequences, a column each")
                            ->type_name("N")
                            ->check(number_from(1))
                            ->group(group);
  command
      ->add_option("--beam", options->beam,
                   "Follow the B best tags of a token only; 0 searches exactly")
      ->type_name("B")
      ->check(number_from(0))
      ->capture_default_str()
      ->excludes(n_best)
      ->group(group);
  command->callback([options, &context] {
    context.action = [options, &context] { return tag(*options, context.common); };
  });
}

}  // namespace megadapt::cli
