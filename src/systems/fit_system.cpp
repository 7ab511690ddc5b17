// The steps that every fit shares: class weights before it, unlabelled rows, and a
// temperature after it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/messages.hpp"
#include "megadapt/systems.hpp"
#include "models/predictors.hpp"
#include "systems/self_training.hpp"

namespace megadapt {
namespace {

// Returns the factor of each label in each domain, [K][Y]. With these factors all labels
// that a domain has get the same total weight, and the domain's total weight stays.
std::vector<double> balancing_factors(const Dataset& data, Communicator& ranks) {
  const std::size_t Y = data.num_labels();
  std::vector<double> total(data.num_domains() * Y);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    data.for_each_label(n, [&](std::uint32_t y, double share) {
      total[data.domain[n] * Y + y] += share * static_cast<double>(data.weight[n]);
    });
  }
  ranks.sum(total);
  std::vector<double> factor(total.size(), 1);
  for (std::size_t d = 0; d < data.num_domains(); ++d) {
    double sum = 0, present = 0;
    for (std::size_t y = 0; y < Y; ++y) {
      sum += total[d * Y + y];
      present += total[d * Y + y] > 0;
    }
    for (std::size_t y = 0; y < Y; ++y) {
      if (total[d * Y + y] > 0) factor[d * Y + y] = sum / (present * total[d * Y + y]);
    }
  }
  return factor;
}

[[noreturn]] void refuse_label(const std::string& label,
                               const std::vector<std::string>& known) {
  // Someone who types --class-weight a=2,b=9 gets the label "a=2,b".
  const bool list = label.find('=') != label.npos && label.find(',') != label.npos;
  throw UsageError(
      fmt::format("--class-weight names the unknown label '{}'", label),
      list ? "give the option once for each label: --class-weight A=2 --class-weight B=9"
           : suggest(label, known,
                     fmt::format("name a label of the training rows: {}",
                                 fmt::join(known, ", "))));
}

// Multiplies the shares of uncertain labels by their factors, as if the row were repeated
// with each of its labels.
void weigh_shares(std::span<const double> factor, Dataset& data) {
  const std::size_t Y = data.num_labels();
  SoftLabels& soft = data.soft;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const auto own = std::span(soft.shares).subspan(soft.begin[i], soft[i].size());
    double sum = 0;
    for (const LabelShare& one : own) {
      sum +=
          static_cast<double>(one.share) * factor[data.domain[soft.row[i]] * Y + one.label];
    }
    if (!(sum > 0)) continue;  // the row has no weight
    for (LabelShare& one : own) {
      one.share =
          static_cast<float>(static_cast<double>(one.share) *
                             factor[data.domain[soft.row[i]] * Y + one.label] / sum);
    }
  }
}

Dataset weighted_by_label(Dataset data, const ClassWeights& weights, Communicator& ranks) {
  const std::size_t Y = data.num_labels();
  std::vector<double> factor(data.num_domains() * Y, 1);
  if (weights.balanced) factor = balancing_factors(data, ranks);
  for (const auto& [label, weight] : weights.of) {
    const std::uint32_t y = data.labels().find(label);
    if (y == kNone) refuse_label(label, data.labels().names());
    for (std::size_t d = 0; d < data.num_domains(); ++d) factor[d * Y + y] *= weight;
  }
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    double mean = 0;
    data.for_each_label(n, [&](std::uint32_t y, double share) {
      mean += share * factor[data.domain[n] * Y + y];
    });
    data.weight[n] = static_cast<float>(static_cast<double>(data.weight[n]) * mean);
  }
  weigh_shares(factor, data);
  return data;
}

// Returns `data` with its rows weighted by label, or `data` itself if no class weights are
// given.
std::shared_ptr<const Dataset> weighted_rows(const Dataset& data, const Options& options,
                                             const FitContext& context) {
  if (options.class_weight.empty()) return {std::shared_ptr<const Dataset>(), &data};
  return std::make_shared<Dataset>(
      weighted_by_label(data, options.class_weight, context.exec.ranks()));
}

PredictorPtr calibrated(PredictorPtr fitted, const Options& options) {
  if (!options.calibration) return fitted;
  return std::make_unique<CalibratedPredictor>(std::move(fitted), *options.calibration);
}

}  // namespace

PredictorPtr System::learn(const Dataset& data, std::uint32_t target,
                           const Options& options, const FitContext& context) const {
  if (!self_trains(*this, data, options)) return fit_rows(data, target, options, context);
  return SelfTraining(*this, data, target, options, context)
      .fit(options.sharpen.value_or(kSharpen),
           options.unlabelled_weight.value_or(kUnlabelledWeight));
}

PredictorPtr System::fit(const Dataset& data, std::uint32_t target, const Options& options,
                         const FitContext& context) const {
  const auto weighted = weighted_rows(data, options, context);
  return calibrated(learn(*weighted, target, options, context), options);
}

std::vector<PredictorPtr> System::fit_each(const Dataset& data, std::uint32_t target,
                                           const Options& options, std::string_view name,
                                           const std::vector<std::string>& values,
                                           const FitContext& context) const {
  std::vector<PredictorPtr> fitted;
  if (self_trains(*this, data, options)) {  // one fit cannot serve several values
    for (const std::string& value : values) {
      Options own = options;
      set_option(own, name, value);
      fitted.push_back(fit(data, target, own, context));
    }
    return fitted;
  }
  const auto weighted = weighted_rows(data, options, context);
  fitted = fit_rows_each(*weighted, target, options, name, values, context);
  for (PredictorPtr& each : fitted) each = calibrated(std::move(each), options);
  return fitted;
}

std::vector<PredictorPtr> System::fit_rows_each(const Dataset& data, std::uint32_t target,
                                                const Options& options,
                                                std::string_view name,
                                                const std::vector<std::string>& values,
                                                const FitContext& context) const {
  std::vector<PredictorPtr> fitted;
  for (const std::string& value : values) {
    Options own = options;
    set_option(own, name, value);
    fitted.push_back(fit_rows(data, target, own, context));
  }
  return fitted;
}

}  // namespace megadapt
