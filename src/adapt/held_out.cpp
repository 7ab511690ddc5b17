#include "adapt/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dataset/folds.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "systems/combination_weights.hpp"

namespace megadapt {
namespace {

constexpr std::uint32_t kFolds = 5;
constexpr std::size_t kManyRows = 2000;  // from here on one fold is enough to judge by

// From strong to weak regularisation, so that each fit starts near its optimum.
const std::vector<double> kVariances = {0.01, 0.03, 0.1, 0.3, 1, 3, 10};

double log_loss(std::span<const double> probability, std::span<const double> weight) {
  double loss = 0;
  double total = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    loss -= weight[i] * std::log(std::max(probability[i], kUnseenProbability));
    total += weight[i];
  }
  return total > 0 ? loss / total : 0;
}

std::vector<double> interpolated(std::span<const double> own, std::span<const double> other,
                                 double own_weight) {
  std::vector<double> mixed(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    mixed[i] = own_weight * own[i] + (1 - own_weight) * other[i];
  }
  return mixed;
}

}  // namespace

HeldOut::HeldOut(const FormerView& view, std::vector<std::string> systems,
                 const ContinuationOptions& options)
    : view_(view),
      systems_(std::move(systems)),
      options_(options),
      variances_(options.variance ? std::vector<double>{*options.variance} : kVariances) {}

bool HeldOut::needs(const std::string& system) const {
  return std::find(systems_.begin(), systems_.end(), system) != systems_.end();
}

std::vector<HeldOut::Part> HeldOut::parts_of(std::span<const std::size_t> rows) const {
  const std::vector<std::uint32_t> fold =
      deal_folds(view_.data(), rows, kFolds, options_.seed);
  std::vector<Part> parts(rows.size() > kManyRows ? 1 : kFolds);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      (fold[i] == p ? parts[p].held_out : parts[p].train).push_back(rows[i]);
    }
  }
  std::erase_if(
      parts, [](const Part& part) { return part.train.empty() || part.held_out.empty(); });
  return parts;
}

HeldOut::Curves HeldOut::curves(const std::string& system, const std::vector<Part>& parts,
                                const Execution& exec) {
  Curves all(variances_.size());
  std::vector<double> p(view_.data().num_labels());
  for (const Part& part : parts) {
    exec.throw_if_stopped();
    const MaxentProblem problem = view_.problem(system, part.train, exec);
    std::vector<double> start;
    for (std::size_t v = 0; v < variances_.size(); ++v) {
      MaxentFit fit = view_.fit(system, problem, part.train, variances_[v], start, exec);
      const MaxentPredictor fitted(view_.data().num_labels(), fit.weights);
      for (const std::size_t n : part.held_out) {
        view_.predict(system, fitted, n, p);
        all[v].push_back(p[view_.data().label[n]]);
      }
      start = std::move(fit.weights);
    }
    count_step();
  }
  return all;
}

HeldOutChoices HeldOut::choose(std::span<const std::size_t> rows, const Execution& exec) {
  HeldOutChoices choices;
  for (const std::string& system : systems_) {
    choices[system] = {.variance = options_.variance.value_or(1),
                       .own_weight = options_.interpolation.value_or(0.5)};
  }
  const std::vector<Part> parts = parts_of(rows);
  if (parts.empty()) return choices;  // one row or one group: nothing to tell by
  std::vector<double> weight, former;
  for (const Part& part : parts) {
    for (const std::size_t n : part.held_out) {
      weight.push_back(static_cast<double>(view_.data().weight[n]));
      former.push_back(view_.former(n)[view_.data().label[n]]);
    }
  }
  const auto consider = [&](const std::string& system, std::size_t v, double own_weight,
                            double loss) {
    HeldOutChoice& choice = choices[system];
    if (v > 0 && loss >= choice.log_loss) return;
    choice = {variances_[v], own_weight, loss};
  };
  for (const std::string base : {"onlyi", "prior", "feats"}) {
    if (!needs(base)) continue;
    const Curves curve = curves(base, parts, exec);
    for (std::size_t v = 0; v < variances_.size(); ++v) {
      consider(base, v, 1, log_loss(curve[v], weight));
      if (base != "onlyi" || !needs("lini")) continue;
      const double own = options_.interpolation
                             ? *options_.interpolation
                             : combination_weights({curve[v], former}, weight)[0];
      consider("lini", v, own, log_loss(interpolated(curve[v], former, own), weight));
    }
  }
  return choices;
}

void HeldOut::measure(const Part& part, HeldOutPredictions& predictions,
                      const Execution& exec) {
  const HeldOutChoices choices = choose(part.train, exec);
  const std::size_t Y = view_.data().num_labels();
  for (const auto& [system, choice] : choices) {
    const std::string base = system == "lini" ? "onlyi" : system;
    const MaxentFit fit = view_.fit(base, view_.problem(base, part.train, exec), part.train,
                                    choice.variance, {}, exec);
    const MaxentPredictor fitted(view_.data().num_labels(), fit.weights);
    for (const std::size_t n : part.held_out) {
      const std::span<double> p(predictions.probability[system].data() + n * Y, Y);
      view_.predict(base, fitted, n, p);
      if (system != "lini") continue;
      const auto mixed = interpolated(p, view_.former(n), choice.own_weight);
      std::copy(mixed.begin(), mixed.end(), p.begin());
    }
  }
}

HeldOutChoices HeldOut::run(HeldOutPredictions& predictions, const Execution& exec) {
  const Dataset& data = view_.data();
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const std::vector<Part> parts = parts_of(rows);
  for (const std::string& system : systems_) {
    predictions.probability[system].resize(data.num_examples() * data.num_labels());
  }
  predictions.predicted.assign(data.num_examples(), false);
  for (const Part& part : parts) {
    for (const std::size_t n : part.held_out) predictions.predicted[n] = true;
  }
  const auto bases = systems_.size() - needs("lini");
  steps_ = (parts.size() + 1) * bases * std::max<std::size_t>(1, parts.size());
  // Each task has rows of its own to predict and fits that fill one thread.
  HeldOutChoices choices;
  exec.for_each_chunk(parts.size() + 1, [&](std::size_t task) {
    exec.throw_if_stopped();
    const Execution one(1);
    if (task == 0) {
      choices = choose(rows, one);
    } else {
      measure(parts[task - 1], predictions, one);
    }
  });
  return choices;
}

void HeldOut::count_step() {
  if (!options_.on_progress) return;
  const std::lock_guard lock(mutex_);
  ++steps_done_;
  options_.on_progress({"holding out", std::min(1.0, static_cast<double>(steps_done_) /
                                                         static_cast<double>(steps_))});
}

}  // namespace megadapt
