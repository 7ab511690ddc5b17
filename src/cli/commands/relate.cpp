// megadapt relate: measures how similar domains are.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json.hpp"
#include "cli/commands/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/input_options.hpp"
#include "cli/text/progress_bar.hpp"
#include "cli/text/reports.hpp"
#include "megadapt/comparison.hpp"
#include "results/json.hpp"

namespace megadapt::cli {
namespace {

struct RelateCommand {
  InputOptions input;
  RelateOptions relate;
  std::string output = "-";
};

template <class Cell>
std::string matrix_text(const Relatedness& how, const std::string& title, Cell cell) {
  std::vector<std::vector<std::string>> rows{{""}};
  for (const DomainSummary& domain : how.domains) rows[0].push_back(domain.name);
  for (std::uint32_t a = 0; a < how.domains.size(); ++a) {
    rows.push_back({how.domains[a].name});
    for (std::uint32_t b = 0; b < how.domains.size(); ++b) {
      rows.back().push_back(a == b ? "-" : cell(a, b));
    }
  }
  return "\n" + title + "\n" + text_table(rows);
}

std::string domains_text(const Relatedness& how) {
  std::vector<std::vector<std::string>> rows{
      {"domain", "rows", "features", "general (pi)", "mean P(general)"}};
  const auto share = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.1f}%", 100 * *value) : std::string("-");
  };
  for (const DomainSummary& domain : how.domains) {
    rows.push_back({domain.name, fmt::to_string(domain.examples),
                    fmt::to_string(domain.features), share(domain.general_share),
                    share(domain.mean_general)});
  }
  return text_table(rows);
}

std::string conflict_text(const Relatedness& how) {
  std::vector<std::vector<std::string>> rows{
      {"source", "target", "source fails", "source helps", "AUC"}};
  std::string advice;
  for (std::uint32_t target = 0; target < how.domains.size(); ++target) {
    for (std::uint32_t source = 0; source < how.domains.size(); ++source) {
      if (source == target || !how.conflict(source, target)) continue;
      const Conflict& conflict = *how.conflict(source, target);
      const std::string& from = how.domains[source].name;
      const std::string& to = how.domains[target].name;
      rows.push_back({from, to, fmt::format("{:.1f}%", 100 * conflict.source_fails),
                      fmt::format("{:.1f}%", 100 * conflict.source_helps),
                      conflict.auc ? fmt::format("{:.3f}", *conflict.auc) : "-"});
      advice += wrapped(fmt::format("{} for {}: {}", from, to, conflict.advice), 2);
    }
  }
  if (rows.size() == 1) return "";
  return "\nconflict: the target's rows that one of two models gets right\n" +
         text_table(rows, 2) + advice;
}

// "0.5, 0.4, 0.3  "; nothing if there is no mixture.
std::string presence_text(const SeparatingFeature& feature) {
  if (feature.presence.empty()) return "";
  return fmt::format("{:.2g}  ", fmt::join(feature.presence, ", "));
}

// The features that tell two domains apart, one a line: bits, the share of rows of each
// domain that have it, its name.
std::string separating_text(const Relatedness& how) {
  std::string out;
  for (const DomainPair& pair : how.pairs) {
    if (pair.features.empty()) continue;
    const std::string a = cut(how.domains[pair.a].name, 12);
    const std::string b = cut(how.domains[pair.b].name, 12);
    out += "\n" + wrapped(fmt::format("what tells {} from {} (bits, share of rows, psi of "
                                      "general, {}, {})",
                                      a, b, a, b),
                          2);
    for (const SeparatingFeature& feature : pair.features) {
      const std::string line = fmt::format(
          "  {:.4f}  {:>5.1f}% {}  {:>5.1f}% {}  {}", feature.information,
          100 * feature.share_a, a, 100 * feature.share_b, b, presence_text(feature));
      out += line +
             cut(feature.name, std::max<std::size_t>(10, kTableWidth - line.size())) + "\n";
    }
  }
  return out;
}

std::string relatedness_text(const Relatedness& how) {
  return domains_text(how) +
         matrix_text(how,
                     fmt::format("KL divergence of row from column, nats (unigrams, each "
                                 "count plus {})",
                                 how.smoothing),
                     [&](auto a, auto b) { return fmt::format("{:.3f}", how.kl(a, b)); }) +
         matrix_text(how, "Jensen-Shannon divergence, bits (0 equal, 1 disjoint)",
                     [&](auto a, auto b) {
                       return fmt::format("{:.3f}", how.pair(a, b).jensen_shannon);
                     }) +
         matrix_text(how, "AUC of a domain classifier (0.5 alike, 1 told apart)",
                     [&](auto a, auto b) {
                       const auto& auc = how.pair(a, b).auc;
                       return auc ? fmt::format("{:.3f}", *auc) : std::string("-");
                     }) +
         conflict_text(how) + separating_text(how);
}

int relate_domains(RelateCommand& options, const CommonOptions& common) {
  ProgressBar bar(common.quiet);
  bar.update({.stage = "reading"});
  const Dataset data = read_input(options.input, common);
  common.warn(label_warning(data));
  const StoppableExecution exec(common.threads);
  options.relate.seed = common.seed;
  options.relate.on_progress = [&bar](const Progress& progress) { bar.update(progress); };
  const Relatedness how = relate(data, options.relate, exec);
  exec.throw_if_stopped();
  bar.clear();
  for (const DomainPair& pair : how.pairs) {
    if (pair.auc) continue;
    common.warn(Warning{"too-few-rows",
                        fmt::format("{} or {} is too small to hold rows out: no AUC",
                                    how.domains[pair.a].name, how.domains[pair.b].name),
                        "give each domain at least two rows or groups"});
  }
  auto json = relatedness_json(how);
  common.add_warnings(json);
  return print(common.json ? json_text(json, 2) + "\n" : printable(relatedness_text(how)),
               options.output);
}

}  // namespace

void add_relate(CLI::App& app, Context& context) {
  auto options = std::make_shared<RelateCommand>();
  CLI::App* command = new_command(
      app, "relate", "Measure how similar domains are",
      "megadapt relate --domain out=news.txt.gz --domain in=calls.txt", context.common);
  add_input_options(*command, options->input, false);
  RelateOptions& relate = options->relate;
  Section relating(*command, "Relating");
  rare(relating.value("--smoothing", relate.smoothing,
                      "KL divergence: number added to every count of the unigram models",
                      "A", number_from(0, true)));
  relating.value("--folds", relate.folds, "Cross-validation folds of the domain classifier",
                 "K", number_from(2));
  relating.value(
      "--variance", relate.variance,
      "Prior variance of the weights of the domain classifier and of the mixture "
      "that gives pi",
      "V", number_from(0, true));
  rare(relating.value("--rounds", relate.rounds, "Rounds of conditional EM that give pi",
                      "N", number_from(1)));
  Section(*command, "Output")
      .value("--top", relate.top, "Features to show that separate two domains", "N",
             number_from(0));
  add_output_option(*command, options->output);
  set_action(*command, context, options, relate_domains);
}

}  // namespace megadapt::cli
