// megadapt tag: copies text and adds a column of predicted tags.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/options/row_options.hpp"
#include "inference/span_confidence.hpp"
#include "inference/stream.hpp"
#include "megadapt/evaluation.hpp"

namespace megadapt::cli {
namespace {

struct TagOptions : ModelRowOptions {
  std::string columns;
  std::size_t beam = 0;
  std::optional<std::size_t> n_best;
  bool marginals = false;
  bool spans = false;
  bool skip_bad = false;
};

bool is_text(SentenceFormat format) {
  return format == SentenceFormat::text || format == SentenceFormat::prose;
}

/// The output for one sentence.
class TaggedText {
 public:
  TaggedText(const Sentence& sentence, Tagger::Worker& worker,
             const std::vector<std::string>& labels, const TagOptions& options)
      : worker_(worker), labels_(labels), options_(options) {
    worker.read(sentence);
    if (options.n_best) {
      best_ = worker.n_best(*options.n_best);
    } else {
      best_.push_back(worker.best(options.beam));
    }
    if (options.marginals) marginals_ = worker.marginals();
    if (options.spans) spans_ = span_confidence(worker, labels, best_[0]);
  }

  /// Returns the new columns of row `t`, joined by `separator`. If there are fewer
  /// sequences than requested, the remaining columns are `_`.
  std::string columns(std::size_t t, char separator) const {
    std::string text;
    for (std::size_t i = 0; i < options_.n_best.value_or(1); ++i) {
      if (i > 0) text += separator;
      text += i < best_.size() ? labels_[best_[i].tags[t]] : "_";
    }
    if (options_.marginals) {
      text += fmt::format("{}{:.6g}", separator, marginal(t, best_[0].tags[t]));
    }
    if (options_.spans) (text += separator) += span_probability(t);
    return text;
  }

  /// Returns {tokens, spaces, tags, log_probability, nbest, marginals, general} on one line.
  std::string json(const Sentence& sentence, SentenceFormat format) const {
    nlohmann::ordered_json line;
    line["tokens"] = sentence.forms.empty() ? sentence.tokens : sentence.forms;
    if (is_text(format)) line["spaces"] = spaces_of(sentence);
    line["tags"] = names(best_[0]);
    line["log_probability"] = best_[0].log_probability;
    if (options_.n_best) {
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
    if (options_.spans) line["spans"] = spans_json();
    for (std::size_t t = 0; t < size(); ++t) {
      if (const auto general = worker_.general(t)) line["general"].push_back(*general);
    }
    return json_text(line) + "\n";
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

  // The probability of the span that begins at the token, or `_`.
  std::string span_probability(std::size_t t) const {
    for (const ConfidentSpan& span : spans_) {
      if (span.begin == t) return fmt::format("{:.6g}", span.probability);
    }
    return "_";
  }
  nlohmann::ordered_json spans_json() const {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ConfidentSpan& span : spans_) {
      all.push_back({{"begin", span.begin},
                     {"end", span.end},
                     {"type", span.type},
                     {"probability", span.probability}});
    }
    return all;
  }

  const Tagger::Worker& worker_;
  const std::vector<std::string>& labels_;
  const TagOptions& options_;
  std::vector<TagSequence> best_;
  std::vector<double> marginals_;  // [T][Y]
  std::vector<ConfidentSpan> spans_;
};

// Returns the separator for new columns: the one between the columns of the sentence's
// first line, which may be its only line.
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
  write_each(stream, out, [&](const Sentence& sentence, auto& worker, std::string& text) {
    const TaggedText tagged(sentence, worker, tagger.labels(), options);
    if (common.json) {
      text += tagged.json(sentence, stream.reader().format());
    } else {
      append_columns(tagged, sentence, stream.reader().format(), text);
    }
  });
  if (!common.json) out.write(stream.rest());
  if (stream.reader().skipped() > 0) {
    common.note("{} left out", counted(stream.reader().skipped(), "bad sentence"));
  }
}

int tag(const TagOptions& options, const CommonOptions& common) {
  const Tagger tagger = tagger_for("tag", options.model, !options.no_verify);
  if (options.spans && !mark_spans(tagger.labels())) {
    throw UsageError("--spans: the tags of this model mark no spans",
                     "leave it out, or use --marginals for the probability of each tag");
  }
  return stream_to(options.output, common, [&](AtomicFile& out, const Execution& exec) {
    tag_sentences(tagger, options, common, out, exec);
  });
}

}  // namespace

void add_tag(CLI::App& app, Context& context) {
  auto options = std::make_shared<TagOptions>();
  CLI::App* command =
      new_command(app, "tag", "Tag sentences with a trained tagger",
                  "megadapt tag pos.mega < new.conll > tagged.conll", context.common);
  add_model_argument(*command, options->model, options->no_verify);
  add_input_argument(*command, options->input, "The text to tag");
  Section input(*command, "Input");
  input.choice("--format", options->format,
               "Input format (default: guessed from the content)",
               {"conll", "conllu", "text", "jsonl", "prose"});
  input.value("--columns", options->columns,
              "Contents of the columns of this file, if they differ from training, such as "
              "token,pos,tag",
              "LIST");
  add_as_domain_option(*command, *options, "Domain of the text (default: the target)");
  add_skip_bad_option(*command, options->skip_bad);
  add_output_option(*command, options->output);
  Section output(*command, "Output");
  output.flag("--marginals", options->marginals,
              "Also print the probability of each tag, given the whole sentence");
  output.flag("--spans", options->spans,
              "Also print the probability of each span, at its first token");
  auto* n_best = output.value("--nbest", options->n_best,
                              "Print the N most probable tag sequences, one per column",
                              "N", number_from(1));
  output
      .value("--beam", options->beam,
             "Beam search with the B best tags of each token; 0 searches exactly", "B",
             number_from(0))
      ->excludes(n_best);
  set_action(*command, context, options, tag);
}

}  // namespace megadapt::cli
