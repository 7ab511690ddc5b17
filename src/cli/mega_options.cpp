#include "cli/mega_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "cli/common_options.hpp"

namespace megadapt::cli {
namespace {

const std::string kMega = "MEGA systems (megam, megaloo)";

double parse_number(std::string_view text, std::string_view option,
                    const std::string& fix) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw UsageError(fmt::format("{}: '{}' is not a number", option, text), fix);
  }
  return value;
}

BetaPrior parse_beta(const std::string& text) {
  const std::string fix = "write --beta A,B with two numbers of at least 1, such as 2,2";
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    throw UsageError(fmt::format("--beta: '{}' is not two numbers", text), fix);
  }
  return {parse_number(std::string_view(text).substr(0, comma), "--beta", fix),
          parse_number(std::string_view(text).substr(comma + 1), "--beta", fix)};
}

void parse_e_step(const std::string& text, MegaOptions& options) {
  const std::string fix =
      "use training, loo or crossfit:K with K folds, such as crossfit:4";
  if (text == "training") {
    options.e_step = EStep::training;
  } else if (text == "loo") {
    options.e_step = EStep::leave_one_out;
  } else if (text.starts_with("crossfit:")) {
    options.e_step = EStep::cross_fit;
    const double folds = parse_number(std::string_view(text).substr(9), "--e-step", fix);
    if (!(folds >= 2 && folds <= 1000) || folds != static_cast<int>(folds)) {
      throw UsageError(fmt::format("--e-step: '{}' has no usable number of folds", text),
                       fix);
    }
    options.folds = static_cast<int>(folds);
  } else {
    throw UsageError(fmt::format("--e-step: '{}' is unknown", text), fix);
  }
}

// "P" for every domain, "NAME=P" for one.
void parse_share(const std::string& text, MegaOptions& options) {
  const std::string fix = "write --pi-init 0.5, or --pi-init NAME=0.95 for one domain";
  const std::size_t equals = text.rfind('=');
  const double value =
      parse_number(equals == std::string::npos ? std::string_view(text)
                                               : std::string_view(text).substr(equals + 1),
                   "--pi-init", fix);
  if (equals == std::string::npos) {
    options.first_share = value;
  } else {
    options.first_share_of[text.substr(0, equals)] = value;
  }
}

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
                  "General share to begin with, of all domains or of one; default 0.5, "
                  "megaloo 0.2 for the target and 0.95 for the others")
      ->type_name("[NAME=]P")
      ->allow_extra_args(false)
      ->group(kMega);
  command
      .add_option("--e-step", arguments.e_step,
                  "Predictions that posteriors are judged by: training (megam), loo "
                  "(megaloo), or crossfit:K for K folds")
      ->type_name("HOW")
      ->group(kMega);
  choice("--centre", arguments.centre,
         "Prior mean of the specific experts: zero (megam) or the general expert (megaloo)",
         {"zero", "general"});
  number(
      "--specific-variance", arguments.specific_variance,
      "Prior variance of the specific experts, or of easyadapt's specific copies; 0 means "
      "--variance, for megaloo 0.05, for easyadapt 1",
      0, "V");
  choice("--gate", arguments.gate, "How P(general | x) is modelled: psi (both), logistic",
         {"psi", "logistic"});
  number("--gate-variance", mega.gate_variance, "Prior variance of the logistic gate", 1e-9,
         "V");
  number("--anneal", mega.temperature,
         "Temper posteriors by this temperature, cooled to 1 over the rounds", 1, "T");
  number("--psi-sweeps", mega.psi_sweeps, "Sweeps over psi in each round", 1, "N");
  choice("--psi-step", arguments.psi_step, "How psi is maximised: feature by feature",
         {"sweep"});
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
  MegaOptions options = arguments.values;
  options.beta = parse_beta(arguments.beta);
  options.learn_share = arguments.pi == "learn";
  for (const std::string& text : arguments.pi_init) parse_share(text, options);
  if (!arguments.e_step.empty()) parse_e_step(arguments.e_step, options);
  if (!arguments.centre.empty()) {
    options.centre = arguments.centre == "general" ? Centre::general : Centre::zero;
  }
  if (!arguments.gate.empty()) {
    options.gate = arguments.gate == "logistic" ? Gate::logistic : Gate::presence;
  }
  if (arguments.specific_variance > 0)
    options.specific_variance = arguments.specific_variance;
  return options;
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
  add("gate", arguments.gate);
  add("gate-variance", fmt::to_string(mega.gate_variance));
  add("anneal", fmt::to_string(mega.temperature));
  add("psi-sweeps", fmt::to_string(mega.psi_sweeps));
  return all;
}

}  // namespace megadapt::cli
