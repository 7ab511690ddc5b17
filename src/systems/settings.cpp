// Options by name, as the command line and tuning spell them.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "megadapt/systems.hpp"

namespace megadapt {
namespace {

double number(std::string_view name, std::string_view text, double least, bool open,
              const std::string& fix) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty() ||
      !std::isfinite(value)) {
    throw UsageError(fmt::format("--{}: '{}' is not a number", name, text), fix);
  }
  if (value < least || (open && value == least)) {
    throw UsageError(fmt::format("--{}: {} is not {} {}", name, text,
                                 open ? "above" : "at least", least),
                     fix);
  }
  return value;
}

double positive(std::string_view name, std::string_view text) {
  return number(name, text, 0, true, fmt::format("give --{} a number above 0", name));
}

int whole(std::string_view name, std::string_view text, int least) {
  const std::string fix = fmt::format("give --{} a whole number from {} on", name, least);
  const double value = number(name, text, least, false, fix);
  if (value != std::floor(value) || value > 1e9) {
    throw UsageError(fmt::format("--{}: '{}' is not a whole number", name, text), fix);
  }
  return static_cast<int>(value);
}

BetaPrior beta_prior(std::string_view text) {
  const std::string fix = "write --beta A,B with two numbers of at least 1, such as 2,2";
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    throw UsageError(fmt::format("--beta: '{}' is not two numbers", text), fix);
  }
  return {number("beta", text.substr(0, comma), 1, false, fix),
          number("beta", text.substr(comma + 1), 1, false, fix)};
}

void set_e_step(MegaOptions& mega, std::string_view text) {
  const std::string fix =
      "use training, loo or crossfit:K with K folds, such as crossfit:4";
  if (text == "training") {
    mega.e_step = EStep::training;
  } else if (text == "loo") {
    mega.e_step = EStep::leave_one_out;
  } else if (text.starts_with("crossfit:")) {
    mega.e_step = EStep::cross_fit;
    const double folds = number("e-step", text.substr(9), 0, false, fix);
    if (!(folds >= 2 && folds <= 1000) || folds != std::floor(folds)) {
      throw UsageError(fmt::format("--e-step: '{}' has no usable number of folds", text),
                       fix);
    }
    mega.folds = static_cast<int>(folds);
  } else {
    throw UsageError(fmt::format("--e-step: '{}' is unknown", text), fix);
  }
}

// "P" for every domain, "NAME=P" for one.
void set_first_share(MegaOptions& mega, std::string_view text) {
  const std::string fix = "write --pi-init 0.5, or --pi-init NAME=0.95 for one domain";
  const std::size_t equals = text.rfind('=');
  const std::string_view share =
      equals == std::string_view::npos ? text : text.substr(equals + 1);
  const double value = number("pi-init", share, 0, false, fix);
  if (equals == std::string_view::npos) {
    mega.first_share = value;
  } else {
    mega.first_share_of[std::string(text.substr(0, equals))] = value;
  }
}

// The place of `text` among `names`.
template <std::size_t N>
std::size_t choice(std::string_view name, std::string_view text,
                   const std::array<std::string_view, N>& names) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return i;
  }
  const std::string near = closest(text, names);
  throw UsageError(fmt::format("--{}: '{}' is unknown", name, text),
                   near.empty() ? fmt::format("use one of {}", fmt::join(names, ", "))
                                : fmt::format("did you mean '{}'?", near));
}

/// What every fit reads. False where the name is none of these.
bool set_solver_option(AdaptationOptions& options, std::string_view name,
                       std::string_view value) {
  if (name == "tolerance") {
    options.tolerance = positive(name, value);
  } else if (name == "max-passes") {
    options.max_passes = whole(name, value, 1);
  } else if (name == "optimizer") {
    constexpr std::array<std::string_view, 2> names = {"newton-cg", "lbfgs"};
    options.optimizer =
        choice(name, value, names) == 0 ? Optimizer::newton_cg : Optimizer::lbfgs;
  } else if (name == "precision") {
    constexpr std::array<std::string_view, 2> names = {"single", "double"};
    options.precision =
        choice(name, value, names) == 0 ? Precision::single_ : Precision::double_;
  } else if (name == "folds") {
    options.folds = whole(name, value, 2);
  } else {
    return false;
  }
  return true;
}

}  // namespace

void set_option(AdaptationOptions& options, std::string_view name, std::string_view value) {
  if (set_solver_option(options, name, value)) return;
  MegaOptions& mega = options.mega;
  if (name == "variance") {
    options.variance = positive(name, value);
  } else if (name == "source-variance") {
    options.source_variance = positive(name, value);
  } else if (name == "specific-variance") {
    options.specific_variance = positive(name, value);
    mega.specific_variance = options.specific_variance;
  } else if (name == "prior-exponent") {
    mega.prior_exponent =
        number(name, value, 0, false, "give --prior-exponent a number from 0 to 1");
  } else if (name == "out-weight") {
    options.out_weight =
        number(name, value, 0, false, "give --out-weight a number from 0 on");
  } else if (name == "interpolation") {
    options.interpolation =
        number(name, value, 0, false, "give --interpolation a number from 0 to 1");
  } else if (name == "source-features") {
    constexpr std::array<std::string_view, 3> names = {"labels", "probabilities", "both"};
    constexpr std::array kinds = {SourceFeatures::labels, SourceFeatures::probabilities,
                                  SourceFeatures::both};
    options.source_features = kinds[choice(name, value, names)];
  } else if (name == "rounds") {
    mega.rounds = whole(name, value, 1);
  } else if (name == "beta") {
    mega.beta = beta_prior(value);
  } else if (name == "e-step") {
    set_e_step(mega, value);
  } else if (name == "centre") {
    constexpr std::array<std::string_view, 3> names = {"zero", "general", "others"};
    constexpr std::array centres = {Centre::zero, Centre::general, Centre::others};
    mega.centre = centres[choice(name, value, names)];
  } else if (name == "gate") {
    constexpr std::array<std::string_view, 2> names = {"psi", "logistic"};
    mega.gate = choice(name, value, names) == 0 ? Gate::presence : Gate::logistic;
  } else if (name == "gate-features") {
    mega.gate_features = static_cast<std::size_t>(whole(name, value, 0));
  } else if (name == "gate-variance") {
    mega.gate_variance = positive(name, value);
  } else if (name == "pi") {
    constexpr std::array<std::string_view, 2> names = {"learn", "fixed"};
    mega.learn_share = choice(name, value, names) == 0;
  } else if (name == "pi-init") {
    set_first_share(mega, value);
  } else if (name == "anneal") {
    mega.temperature =
        number(name, value, 1, false, "give --anneal a temperature from 1 on");
  } else if (name == "psi-sweeps") {
    mega.psi_sweeps = whole(name, value, 1);
  } else if (name == "psi-step") {
    constexpr std::array<std::string_view, 2> names = {"sweep", "lbfgs"};
    mega.psi_step = choice(name, value, names) == 0 ? PsiStep::sweep : PsiStep::lbfgs;
  } else {
    throw UsageError(fmt::format("there is no option '{}' of systems", name),
                     "see set_option in megadapt/adaptation.hpp");
  }
}

void set_options(AdaptationOptions& options, const Settings& settings) {
  for (const auto& [name, value] : settings) set_option(options, name, value);
}

}  // namespace megadapt
