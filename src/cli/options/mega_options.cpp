#include "cli/options/mega_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options/common_options.hpp"

namespace megadapt::cli {
namespace {

const std::string kMega = "MEGA systems (megam, megaloo)";

}  // namespace

void add_mega_options(CLI::App& command, MegaArguments& arguments) {
  MegaOptions& mega = arguments.values;
  const auto number = [&](const std::string& name, auto& value, const std::string& help,
                          double least, const char* type) {
    command.add_option(name, value, help)
        ->type_name(type)
        ->check(number_from(least))
        ->capture_default_str()
        ->group(kMega);
  };
  const auto choice = [&](const std::string& name, std::string& value,
                          const std::string& help, const std::vector<std::string>& names) {
    restrict_to(command.add_option(name, value, help)->capture_default_str()->group(kMega),
                names);
  };
  number("--rounds", mega.rounds, "Rounds of conditional EM", 1, "N");
  command
      .add_option("--beta", arguments.beta, "Beta prior of the presence probabilities psi")
      ->type_name("A,B")
      ->capture_default_str()
      ->group(kMega);
  number("--gate-features", mega.gate_features,
         "Let the gate see the N features that tell most about the domain; 0 means all", 0,
         "N");
  choice("--init", arguments.init, "Start: psi = 1/2, weights 0", {"paper"});
  choice("--pi", arguments.pi, "Whether the general share of a domain is learnt",
         {"learn", "fixed"});
  command
      .add_option("--pi-init", arguments.pi_init,
                  "General share to begin with, of all domains or of one; default 0.5")
      ->type_name("[NAME=]P")
      ->allow_extra_args(false)
      ->group(kMega);
  command
      .add_option("--e-step", arguments.e_step,
                  "Predictions that posteriors are judged by: training (megam), loo, or "
                  "crossfit:K for K folds (megaloo: crossfit:5)")
      ->type_name("HOW")
      ->group(kMega);
  choice("--centre", arguments.centre,
         "Prior mean of the specific experts: zero (megam), the general expert, or the "
         "general expert of the other domains' rows (megaloo)",
         {"zero", "general", "others"});
  number(
      "--specific-variance", arguments.specific_variance,
      "Prior variance of the specific experts, or of easyadapt's specific copies; 0 means "
      "--variance, for megaloo 0.3, for easyadapt 1",
      0, "V");
  command
      .add_option("--prior-exponent", arguments.prior_exponent,
                  "Hold weights that rows tell much about tighter, by a power of their "
                  "information; 0 holds all alike; default 0, megaloo 0.3")
      ->type_name("A")
      ->group(kMega);
  choice(
      "--gate", arguments.gate,
      "megam: how P(general | x) is modelled: two naive Bayes models of the features, or a "
      "logistic regression; default psi",
      {"psi", "logistic"});
  number("--gate-variance", mega.gate_variance, "Prior variance of the logistic gate", 1e-9,
         "V");
  number("--anneal", mega.temperature,
         "Temper posteriors by this temperature, cooled to 1 over the rounds", 1, "T");
  number("--psi-sweeps", mega.psi_sweeps, "Sweeps over psi in each round", 1, "N");
  choice("--psi-step", arguments.psi_step,
         "How psi is maximised: feature by feature (default), or all features together, "
         "as several ranks must",
         {"sweep", "lbfgs"});
  command
      .add_option("--trace", arguments.trace,
                  "Write one JSON line per sub-step to this file; - is standard output")
      ->type_name("FILE")
      ->group(kMega);
  command
      .add_option("--checkpoint", mega.checkpoint,
                  "Save each round to this file, and go on from it when it exists")
      ->type_name("FILE")
      ->group(kMega);
}

MegaOptions mega_options(const MegaArguments& arguments) {
  AdaptationOptions options;
  options.mega = arguments.values;
  options.mega.learn_share = arguments.pi == "learn";
  set_option(options, "beta", arguments.beta);
  for (const std::string& text : arguments.pi_init) set_option(options, "pi-init", text);
  if (!arguments.e_step.empty()) set_option(options, "e-step", arguments.e_step);
  if (!arguments.centre.empty()) set_option(options, "centre", arguments.centre);
  if (!arguments.gate.empty()) set_option(options, "gate", arguments.gate);
  if (!arguments.prior_exponent.empty()) {
    set_option(options, "prior-exponent", arguments.prior_exponent);
  }
  if (!arguments.psi_step.empty()) set_option(options, "psi-step", arguments.psi_step);
  if (arguments.specific_variance > 0) {
    options.mega.specific_variance = arguments.specific_variance;
  }
  return options.mega;
}

std::vector<std::pair<std::string, std::string>> recorded_options(
    const MegaArguments& arguments) {
  const MegaOptions& mega = arguments.values;
  std::vector<std::pair<std::string, std::string>> all = {
      {"rounds", fmt::to_string(mega.rounds)},
      {"beta", arguments.beta},
      {"gate-features", fmt::to_string(mega.gate_features)},
      {"pi", arguments.pi}};
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) all.emplace_back(name, value);
  };
  add("pi-init", fmt::to_string(fmt::join(arguments.pi_init, " ")));
  add("e-step", arguments.e_step);
  add("centre", arguments.centre);
  if (arguments.specific_variance > 0) {
    add("specific-variance", fmt::to_string(arguments.specific_variance));
  }
  add("prior-exponent", arguments.prior_exponent);
  add("gate", arguments.gate);
  add("gate-variance", fmt::to_string(mega.gate_variance));
  add("anneal", fmt::to_string(mega.temperature));
  add("psi-sweeps", fmt::to_string(mega.psi_sweeps));
  add("psi-step", arguments.psi_step);
  return all;
}

}  // namespace megadapt::cli
