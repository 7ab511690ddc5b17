// EasyAdapt (Daumé 2007): every feature has one shared copy and one copy per domain. With
// separate variances for shared and specific copies this is the hierarchical prior of
// Finkel and Manning (2009).
#include <cmath>

#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "systems/fit_memory.hpp"
#include "systems/fitting.hpp"
#include "systems/options.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

// [F] shared features, then [F] for each domain. The values of specific copies are
// multiplied by `scale`: a weight u of variance v on x * scale acts as a weight u * scale
// of variance v * scale^2 on x.
SparseRows copy_features(const Dataset& data, float scale) {
  SparseRows rows;
  RowBuilder builder(rows);
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    const std::uint32_t specific = data.num_features() * (1 + data.domain[n]);
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const float x = row.values.empty() ? 1 : row.values[i];
      builder.add(row.features[i], x);
      builder.add(row.features[i] + specific, x * scale);
    }
    builder.end();
  }
  rows.value.resize(rows.feature.size(),
                    1.0f);  // keep the real-valued kernel at scale 1
  return rows;
}

// Returns the last fit's weights as a start. They are stored as effective weights of x, so
// those of specific copies are divided by `scale`.
std::vector<double> scaled_start(const Dataset& data, const FitContext& context,
                                 double scale) {
  if (!context.warm_starts) return {};
  std::vector<double> start = context.warm_starts->weights;
  const std::size_t shared = std::size_t{data.num_features()} * data.num_labels();
  for (std::size_t i = shared; i < start.size(); ++i) start[i] /= scale;
  return start;
}

class EasyAdapt final : public System {
 public:
  using System::System;

  std::unique_ptr<Predictor> fit(const Dataset& data, std::uint32_t target,
                                 const Options& options,
                                 const FitContext& context) const override {
    source_rows(data, target, name(), context.exec.ranks());
    const double scale =
        std::sqrt(*completed(options).specific_variance / options.variance);
    const SparseRows rows = copy_features(data, static_cast<float>(scale));
    const std::uint32_t features = data.num_features() * (1 + data.num_domains());
    const MaxentProblem problem(rows, features, all_rows(data), data.label,
                                data.num_labels(), context.exec);
    const std::vector<double> weight(data.weight.begin(), data.weight.end());
    MaxentOptions maxent = maxent_options(options, context, "training");
    const std::vector<double> start = scaled_start(data, context, scale);
    maxent.start = start;
    const MaxentFit fit = problem.fit(weight, maxent, context.exec);
    report_fit(fit, options, context);

    const std::size_t size = std::size_t{data.num_features()} * data.num_labels();
    if (context.warm_starts) {
      context.warm_starts->weights = fit.weights;
      for (std::size_t i = size; i < fit.weights.size(); ++i) {
        context.warm_starts->weights[i] *= scale;
      }
    }
    std::vector<MaxentPredictor> experts;
    for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
      std::vector<double> sum(fit.weights.begin(),
                              fit.weights.begin() + static_cast<std::ptrdiff_t>(size));
      for (std::size_t i = 0; i < size; ++i)
        sum[i] += scale * fit.weights[size * (1 + d) + i];
      experts.emplace_back(data.num_labels(), sum);
    }
    return std::make_unique<PerDomainPredictor>(std::move(experts));
  }
};

}  // namespace

const System& easy_adapt_system() {
  static const EasyAdapt system(
      {.name = "easyadapt",
       .summary = "shared weights plus each domain's own, fitted together",
       .in_curves = true,
       .cost = 6,
       .reads = solver_options_and({"specific-variance"}),
       .defaults = {{"specific-variance", "1"}},
       .tuned = {{"variance", "0.3"}, {"specific-variance", "0.3"}}});
  return system;
}

}  // namespace megadapt
