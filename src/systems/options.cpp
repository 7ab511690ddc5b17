// The table of options: the only list of their names, types, ranges and help.
#include "systems/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace megadapt {
namespace {

using Field = OptionField<Options>;

Field beta_field() {
  const std::string fix = "write --beta A,B with two numbers of at least 1, such as 2,2";
  return field_of<Options>(
      &Options::beta,
      [fix](std::string_view name, std::string_view text) {
        const std::size_t comma = text.find(',');
        if (comma == std::string_view::npos) refuse_value(name, text, "two numbers", fix);
        return BetaPrior{parse_number(name, text.substr(0, comma), at_least(1), fix),
                         parse_number(name, text.substr(comma + 1), at_least(1), fix)};
      },
      [](const BetaPrior& beta) {
        return print_number(beta.a) + "," + print_number(beta.b);
      },
      "tuple[float, float]", "two numbers from 1 on");
}

Field e_step_field() {
  const std::string wanted = "training, loo or crossfit:K";
  const std::string fix =
      "use training, loo or crossfit:K with K folds, such as crossfit:5";
  const std::string cross = "crossfit:";
  return field_of<Options>(
      &Options::e_step,
      [=](std::string_view name, std::string_view text) -> EStepChoice {
        if (text == "training") return {.how = EStep::training};
        if (text == "loo") return {.how = EStep::leave_one_out};
        if (!text.starts_with(cross)) refuse_value(name, text, wanted, fix);
        const double folds =
            parse_number(name, text.substr(cross.size()), whole_from(2, 1000), fix);
        return {.how = EStep::cross_fit, .folds = static_cast<int>(folds)};
      },
      [=](const EStepChoice& choice) -> std::string {
        if (choice.how == EStep::training) return "training";
        if (choice.how == EStep::leave_one_out) return "loo";
        return cross + std::to_string(choice.folds);
      },
      "str", wanted);
}

Field rounds_field() {
  const std::string fix = "give a whole number from 1 on, or auto";
  return field_of<Options>(
      &Options::rounds,
      [fix](std::string_view name, std::string_view text) {
        if (text == "auto") return kRoundsUntilSettled;
        return static_cast<int>(parse_number(name, text, whole_from(1), fix));
      },
      [](int rounds) -> std::string {
        return rounds == kRoundsUntilSettled ? "auto" : std::to_string(rounds);
      },
      "int or str", "a whole number from 1 on, or auto");
}

// "P" for every domain, "NAME=P" for one.
Field first_share_field() {
  const std::string fix = "write --pi-init 0.5, or --pi-init NAME=0.95 for one domain";
  Field field;
  field.parse = [fix](std::string_view name, Options& options, std::string_view text) {
    const std::size_t equals = text.rfind('=');
    const bool one = equals != std::string_view::npos;
    const double share =
        parse_number(name, one ? text.substr(equals + 1) : text, between(0, 1), fix);
    if (one) {
      options.first_share_of[std::string(text.substr(0, equals))] = share;
    } else {
      options.first_share = share;
    }
  };
  field.print = [](const Options& options) {
    std::vector<std::string> texts{print_number(options.first_share)};
    for (const auto& [domain, share] : options.first_share_of) {
      texts.push_back(domain + "=" + print_number(share));
    }
    return texts;
  };
  field.type = "float or dict[str, float]";
  field.accepts = between(0, 1).text();
  field.repeats = true;
  return field;
}

// "balanced" for all labels, "LABEL=W" for one.
Field class_weight_field() {
  const std::string all = "balanced";
  const std::string wanted = "balanced or LABEL=W";
  const std::string fix =
      "write --class-weight balanced, or --class-weight LABEL=2 for one label; give it "
      "again for another label";
  Field field;
  field.parse = [=](std::string_view name, Options& options, std::string_view text) {
    ClassWeights& weights = options.class_weight;
    if (text == all) {
      weights.balanced = true;
      return;
    }
    const std::size_t equals = text.rfind('=');
    if (equals == std::string_view::npos) refuse_value(name, text, wanted, fix);
    const std::string label(text.substr(0, equals));
    const double weight = parse_number(name, text.substr(equals + 1), at_least(0), fix);
    std::erase_if(weights.of, [&](const auto& known) { return known.first == label; });
    weights.of.emplace_back(label, weight);
  };
  field.print = [=](const Options& options) {
    std::vector<std::string> texts;
    if (options.class_weight.balanced) texts.push_back(all);
    for (const auto& [label, weight] : options.class_weight.of) {
      texts.push_back(label + "=" + print_number(weight));
    }
    return texts;
  };
  field.type = "str or dict[str, float]";
  field.accepts = wanted;
  field.repeats = true;
  return field;
}

template <class Value>
using Named = std::vector<std::pair<std::string, Value>>;

const std::string kTraining = "Training";
const std::string kMega = "MEGA system (megam)";

std::vector<Option<Options>> fitting_options() {
  return {
      {.name = "variance",
       .field = number(&Options::variance, above(0)),
       .metavar = "V",
       .help = "Prior variance sigma^2 of every weight; small values keep weights small",
       .tuned = by_factor(5),
       .common = true},
      {.name = "prior-exponent",
       .field = number(&Options::prior_exponent, between(0, 1)),
       .metavar = "A",
       .help = "Scale each weight's prior precision by (1 + information about it)^A",
       .tuned = one_of({"0.3", "0.6", "0"})},
      {.name = "tolerance",
       .field = number(&Options::tolerance, strictly_between(0, 1)),
       .metavar = "E",
       .help = "Stop when the objective is within this relative distance of the optimum"},
      {.name = "optimizer",
       .field =
           choice(&Options::optimizer, Named<Optimizer>{{"newton-cg", Optimizer::newton_cg},
                                                        {"lbfgs", Optimizer::lbfgs}}),
       .help = "Optimization algorithm"},
      {.name = "max-passes",
       .field = number(&Options::max_passes, whole_from(1)),
       .metavar = "N",
       .help = "Stop after N passes over the data"},
      {.name = "precision",
       .field =
           choice(&Options::precision, Named<Precision>{{"single", Precision::single_},
                                                        {"double", Precision::double_}}),
       .help = "Precision of the inner loops; sums are always double"},
      {.name = "class-weight",
       .field = class_weight_field(),
       .metavar = "[LABEL=]W",
       .help = "Weight rows by their label: LABEL=W, or 'balanced' to give all labels of "
               "a domain the same total weight; repeatable"},
      {.name = "calibration",
       .field = number(&Options::calibration, above(0)),
       .metavar = "T",
       .help =
           "Temperature: probabilities become p^(1/T), normalised; above 1 they are less "
           "certain. 'tune' finds T (default: 1)"},
      {.name = "unlabelled-weight",
       .field = number(&Options::unlabelled_weight, at_least(0)),
       .metavar = "G",
       .help = "Weight of a row of --unlabelled; 0 ignores them (default: 0.1)",
       .tuned = one_of({"0", "0.1", "0.3"})},
      {.name = "sharpen",
       .field = number(&Options::sharpen, above(0)),
       .metavar = "K",
       .help = "Label rows of --unlabelled by p^K, scaled so that each label keeps its "
               "total; above 1 the labels are more certain than the predictions p "
               "(default: 2)",
       .tuned = one_of({"2", "1.5", "3"})},
  };
}

std::vector<Option<Options>> source_options() {
  return {
      {.name = "out-weight",
       .field = number(&Options::out_weight, above(0)),
       .metavar = "W",
       .help =
           "mixw: weight of a source row (default: 1, or less if the source would weigh "
           "more than the target)",
       .tuned = by_factor(3)},
      {.name = "source-variance",
       .field = number(&Options::source_variance, above(0)),
       .metavar = "V",
       .help = "prior, feats, lini, pool: prior variance of the source models (default: "
               "--variance)",
       .tuned = by_factor(5)},
      {.name = "interpolation",
       .field = number(&Options::interpolation, between(0, 1)),
       .metavar = "W",
       .help = "lini: weight of the target's own model (default: by cross-validation)"},
      {.name = "source-features",
       .field =
           choice(&Options::source_features,
                  Named<SourceFeatures>{{"labels", SourceFeatures::labels},
                                        {"probabilities", SourceFeatures::probabilities},
                                        {"both", SourceFeatures::both}}),
       .help = "feats: which part of a source model's prediction to use as features"},
      {.name = "folds",
       .field = number(&Options::folds, whole_from(2)),
       .metavar = "K",
       .help = "lini, pool, stack: cross-validation folds of the target's rows"},
  };
}

std::vector<Option<Options>> expert_options() {
  return {
      {.name = "rounds",
       .field = rounds_field(),
       .metavar = "N",
       .help = "Rounds of conditional EM; auto: until a round changes little (at most 200)",
       .tuned = one_of({"1", "5", "20"})},
      {.name = "refresh",
       .field = choice(&Options::refresh,
                       Named<Refresh>{{"step", Refresh::step}, {"round", Refresh::round}}),
       .help = "Renew the E-step before each sub-step, or once per round as the paper "
               "prints it"},
      {.name = "beta",
       .field = beta_field(),
       .metavar = "A,B",
       .help = "Parameters of the Beta prior of the presence probabilities psi"},
      {.name = "gate-features",
       .field = number(&Options::gate_features, whole_from(0)),
       .metavar = "N",
       .help = "Let the gate use only the N features that best separate the domains; 0 "
               "means all"},
      {.name = "pi",
       .field =
           choice(&Options::learn_share, Named<bool>{{"learn", true}, {"fixed", false}}),
       .help = "Learn the general share pi of each domain, or keep its initial value"},
      {.name = "pi-init",
       .field = first_share_field(),
       .metavar = "[NAME=]P",
       .help = "Initial general share pi of all domains or of one (default: 0.5)"},
      {.name = "e-step",
       .field = e_step_field(),
       .metavar = "HOW",
       .help =
           "Which predictions the E-step uses: training, loo, or crossfit:K for K folds "
           "(default: training)",
       .tuned = one_of({"training", "loo"})},
      {.name = "centre",
       .field = choice(&Options::centre, Named<Centre>{{"zero", Centre::zero},
                                                       {"general", Centre::general},
                                                       {"others", Centre::others}}),
       .help =
           "Prior mean of the specific experts: zero, the general expert, or the general "
           "expert of the other domains' rows (default: zero)",
       .tuned = one_of({"zero", "others"})},
      {.name = "specific-variance",
       .field = number(&Options::specific_variance, above(0)),
       .metavar = "V",
       .help =
           "megam, easyadapt, pool: prior variance of domain-specific weights (default: "
           "--variance; easyadapt 1, pool 0.3)",
       .tuned = by_factor(5)},
  };
}

std::vector<Option<Options>> gate_options() {
  return {
      {.name = "gate",
       .field = choice(&Options::gate,
                       Named<Gate>{{"psi", Gate::presence}, {"logistic", Gate::logistic}}),
       .help = "How P(general | x) is modelled: two naive Bayes models of the "
               "features, or a logistic regression (default: psi)",
       .tuned = one_of({"psi", "logistic"})},
      {.name = "gate-variance",
       .field = number(&Options::gate_variance, above(0)),
       .metavar = "V",
       .help = "Prior variance of the logistic gate"},
      {.name = "anneal",
       .field = number(&Options::temperature, at_least(1)),
       .metavar = "T",
       .help = "Initial temperature of the posteriors; it falls to 1 over the rounds"},
      {.name = "psi-sweeps",
       .field = number(&Options::psi_sweeps, whole_from(1)),
       .metavar = "N",
       .help = "Sweeps over psi in each round"},
      {.name = "psi-step",
       .field = choice(&Options::psi_step, Named<PsiStep>{{"sweep", PsiStep::sweep},
                                                          {"lbfgs", PsiStep::lbfgs}}),
       .help = "Maximise psi one feature at a time (sweep, the default) or for all "
               "features at once (lbfgs, needed with several ranks)"},
  };
}

std::string member_text(const Member& member) {
  std::string text = member.system;
  if (member.weight) text += fmt::format(" weight={}", *member.weight);
  for (const auto& [name, value] : member.settings) {
    text += fmt::format(" {}={}", name, value);
  }
  return text;
}

}  // namespace

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table({{kTraining, fitting_options()},
                                           {kTraining, source_options()},
                                           {kMega, expert_options()},
                                           {kMega, gate_options()}});
  return table;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
  option_table().set(options, name, value);
}

void set_options(Options& options, const Settings& settings) {
  for (const auto& [name, value] : settings) set_option(options, name, value);
}

void refuse_unread(std::span<const System* const> systems,
                   const std::vector<std::string>& given) {
  const auto reads = [](const System* system, const std::string& name) {
    const std::vector<std::string>& names = system->traits().reads;
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : given) {
    option_table().find(name);  // throws if there is no such option
    const auto reads_it = [&](const System* system) { return reads(system, name); };
    if (std::any_of(systems.begin(), systems.end(), reads_it)) continue;
    std::vector<std::string> readers;
    for (const System* system : megadapt::systems()) {
      if (reads_it(system)) readers.push_back(system->name());
    }
    throw UsageError(
        systems.size() == 1
            ? fmt::format("--{}: {} does not read this option", name, systems[0]->name())
            : fmt::format("--{}: no chosen system reads this option", name),
        fmt::format("leave it out, or use {}", fmt::join(readers, ", ")));
  }
}

std::vector<std::string> solver_options() {
  return {"variance",  "prior-exponent", "tolerance",   "optimizer",         "max-passes",
          "precision", "class-weight",   "calibration", "unlabelled-weight", "sharpen"};
}

std::vector<std::string> solver_options_and(const std::vector<std::string>& more) {
  std::vector<std::string> all = solver_options();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Check ranges here too: a C++ caller may have set the fields directly.
Options System::completed(Options options) const {
  option_table().check(options);
  for (const auto& [name, value] : traits_.defaults) {
    const auto& field = option_table().find(name).field;
    if (field.print(options).empty()) field.parse(name, options, value);
  }
  return options;
}

Settings System::record(const Options& options) const {
  Settings all = option_table().record(completed(options), traits_.reads);
  for (const Member& member : options.members) {
    all.emplace_back("member", member_text(member));
  }
  return all;
}

std::string options_text(const System& system, const Options& options) {
  std::string text = system.name() + "\n";
  for (const auto& [name, value] : system.record(options)) {
    text += fmt::format("{}={}\n", name, value);
  }
  return text + fmt::format("seed={}\n", options.seed);
}

}  // namespace megadapt
