// megadapt next: which rows to label next, why, and how much their labels would help.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/row_options.hpp"
#include "megadapt/comparison.hpp"
#include "megadapt/selection.hpp"
#include "results/curve_file.hpp"

namespace megadapt::cli {
namespace {

struct NextOptions : ModelRowOptions {
  std::size_t budget = 100;
  std::string to = "jsonl";
  std::string curve;
};

/// The expected gain from the labels of a batch.
struct Saving {
  ExpectedGain random;  ///< the same number of labels in random order
  ExpectedGain next;    ///< of the batch
  std::optional<double> share;
};

NextForm parse_form(const std::string& name) {
  if (name == "csv") return NextForm::csv;
  if (name == "conll") return NextForm::conll;
  return name == "text" ? NextForm::text : NextForm::jsonl;
}

double labels_of_target(const ModelInfo& info) {
  for (const ModelInfo::Domain& domain : info.domains) {
    if (domain.name == info.target) return static_cast<double>(domain.examples);
  }
  return 0;
}

// A label that `next` chooses is worth 1 / share labels in random order.
std::optional<Saving> saving_of(const std::string& path, const ModelInfo& info,
                                std::size_t labels) {
  if (path.empty()) return std::nullopt;
  constexpr std::uint64_t kSeed = 1;
  const StoredCurve stored = read_curve(path, info.system);
  const double from = labels_of_target(info);
  const auto gain = [&](double more) {
    return expected_gain(stored.curve, stored.repeats, from, more, kSeed);
  };
  const double more = static_cast<double>(labels);
  const auto random = gain(more);
  if (!random) {
    throw InputError({path}, "the curve has fewer than three sizes",
                     "run 'megadapt curve' with more --sizes");
  }
  return Saving{*random, *gain(more / stored.share.value_or(1)), stored.share};
}

nlohmann::ordered_json summary_json(const NextOptions& options, const NextBatch& batch,
                                    const std::optional<Saving>& saving) {
  nlohmann::ordered_json out = {{"budget", options.budget},      {"rows", batch.rows},
                                {"chosen", batch.chosen.size()}, {"labels", batch.labels},
                                {"expected_gain", nullptr},      {"interval", nullptr}};
  if (!saving) return out;
  out["expected_gain"] = saving->next.gain;
  out["interval"] = saving->next.interval;
  out["random"] = {{"expected_gain", saving->random.gain},
                   {"interval", saving->random.interval}};
  if (saving->share) out["share"] = *saving->share;
  return out;
}

std::string points_text(const ExpectedGain& gain) {
  return fmt::format("{:+.1f} points [{:.1f}, {:.1f}]", 100 * gain.gain,
                     100 * gain.interval[0], 100 * gain.interval[1]);
}

void tell_summary(const NextBatch& batch, const std::optional<Saving>& saving,
                  const CommonOptions& common) {
  common.note("{} chosen of {}", batch.chosen.size(), batch.rows);
  if (!saving) {
    common.note(
        "What their labels would bring is not known; run 'megadapt curve --json' on "
        "labelled rows and add --curve FILE.");
    return;
  }
  common.note("{} labels in random order are expected to give {} {}.", batch.labels,
              saving->random.system, points_text(saving->random));
  if (!saving->share) {
    common.note(
        "What the choice saves is not known; 'megadapt curve --strategy next --json' "
        "measures it.");
    return;
  }
  common.note("Chosen by next, which needs {:.0f}% of the labels of random, {}.",
              100 * *saving->share, points_text(saving->next));
}

NextBatch choose(const Classifier& classifier, const NextOptions& options,
                 const CommonOptions& common) {
  const StoppableExecution exec(common.threads);
  OpenOptions open = opening(classifier, options);
  open.labelled = false;
  if (!classifier.has_task()) {
    NextBatch batch = next_rows(classifier, options.input, open, options.budget, exec);
    common.warn(
        unknown_domains_warning(batch.unknown_domains, classifier, options.as_domain));
    return batch;
  }
  return next_sentences(Tagger::over(classifier.model()), options.input, open,
                        options.budget, exec);
}

int next(const NextOptions& options, const CommonOptions& common) {
  const Classifier classifier = Classifier::load(options.model, !options.no_verify);
  const NextBatch batch = choose(classifier, options, common);
  const auto saving = saving_of(options.curve, classifier.info(), batch.labels);
  std::string lines = next_lines(batch, *classifier.model().recipe, parse_form(options.to));
  std::string summary;
  if (common.json) {
    auto json = summary_json(options, batch, saving);
    common.add_warnings(json);
    summary = json_text(json) + "\n";
  }
  const bool together = options.output == "-";
  print(together ? lines + summary : lines, options.output);
  if (!together) print(summary);
  if (!common.json) tell_summary(batch, saving, common);
  return kSuccess;
}

}  // namespace

void add_next(CLI::App& app, Context& context) {
  auto options = std::make_shared<NextOptions>();
  CLI::App* command = new_command(
      app, "next", "Choose the rows to label next, and say why",
      "megadapt next m.mega unlabelled.csv --budget 100 -o batch.jsonl", context.common);
  add_model_row_options(*command, *options, "The rows to choose from, without labels");
  Section choice(*command, "Choice");
  choice.value("-n,--budget", options->budget, "Number of rows, or sentences, to label",
               "N", number_from(1));
  choice.value("--curve", options->curve,
               "Output of 'megadapt curve --json'; with it, the expected gain of the "
               "labels is printed",
               "FILE");
  Section(*command, "Output")
      .choice("--to", options->to,
              "Output format: rows as jsonl or csv, tagged sentences as jsonl or conll, "
              "sentences of recap as text",
              {"jsonl", "csv", "conll", "text"});
  add_output_option(*command, options->output);
  set_action(*command, context, options, next);
}

}  // namespace megadapt::cli
