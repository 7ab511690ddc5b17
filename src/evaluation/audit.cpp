#include "megadapt/audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dataset/select_rows.hpp"
#include "systems/systems.hpp"

namespace megadapt {
namespace {

/// A fitted model of one side.
struct Expert {
  PredictorPtr predictor;
  std::optional<LinearWeights> weights;  ///< if it is linear, for reasons

  explicit Expert(PredictorPtr fitted) : predictor(std::move(fitted)) {
    weights = predictor->parts({}).weights;
  }
  /// What a feature adds to log p(label) / p(against).
  double term(std::uint32_t feature, float value, std::uint32_t label,
              std::uint32_t against) const {
    if (!weights || feature >= weights->num_features()) return 0;
    return static_cast<double>(value) * (static_cast<double>((*weights)(feature, label)) -
                                         static_cast<double>((*weights)(feature, against)));
  }
};

Tuned chosen_options(const System& system, const Dataset& data, std::uint32_t target,
                     const AuditOptions& options, const Execution& exec) {
  if (options.tune) return tune(data, system.name(), target, options.tuning, exec);
  Tuned base;
  base.options = options.tuning.base;
  return base;
}

// p(label) if both experts are trusted equally: the product of their probabilities,
// normalised.
double joint_probability(std::span<const double> a, std::span<const double> b,
                         std::uint32_t label) {
  double total = 0;
  for (std::size_t y = 0; y < a.size(); ++y) total += a[y] * b[y];
  return total > 0 ? a[label] * b[label] / total : 0;
}

/// Judges held-out rows of the target by the two experts.
class Judge {
 public:
  Judge(const Dataset& data, std::uint32_t target, const Expert& general,
        const Expert& specific, std::size_t reasons)
      : data_(data),
        target_(target),
        general_(general),
        specific_(specific),
        reasons_(reasons),
        p_general_(data.num_labels()),
        p_specific_(data.num_labels()) {}

  void add(std::size_t row, Audit& found) {
    const std::uint32_t label = data_.label[row];
    if (label == kNone) return;
    ++found.rows;
    general_.predictor->predict(data_.rows[row], target_, p_general_);
    specific_.predictor->predict(data_.rows[row], target_, p_specific_);
    Suspect suspect{.row = row,
                    .label = label,
                    .general = most_probable(p_general_),
                    .specific = most_probable(p_specific_),
                    .p_general = p_general_[label],
                    .p_specific = p_specific_[label]};
    if (suspect.general == label) return;
    const bool error = suspect.specific != label;
    suspect.score = error ? 1 - joint_probability(p_general_, p_specific_, label)
                          : (1 - suspect.p_general) * suspect.p_specific;
    suspect.reasons = reasons(suspect, error);
    (error ? found.errors : found.changed).push_back(std::move(suspect));
  }

 private:
  // Returns features that speak for the source's label and against the given one. For an
  // error, what counts is the sum over both experts; for a changed meaning, how much more a
  // feature does so in the source's expert than in the target's.
  std::vector<std::string> reasons(const Suspect& suspect, bool error) const {
    const RowView row = data_.rows[suspect.row];
    std::vector<std::pair<double, std::uint32_t>> terms;
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::uint32_t f = row.features[i];
      if (f == data_.bias()) continue;
      const float value = row.values.empty() ? 1.0f : row.values[i];
      const double source = general_.term(f, value, suspect.general, suspect.label);
      const double own = specific_.term(f, value, suspect.general, suspect.label);
      const double speaks = error ? source + own : source - own;
      if (speaks > 0) terms.emplace_back(-speaks, f);
    }
    std::ranges::sort(terms);
    std::vector<std::string> named;
    for (std::size_t i = 0; i < std::min(reasons_, terms.size()); ++i) {
      named.push_back(fmt::format("{} (+{:.2f})", data_.features().name(terms[i].second),
                                  -terms[i].first));
    }
    return named;
  }

  const Dataset& data_;
  std::uint32_t target_;
  const Expert& general_;
  const Expert& specific_;
  std::size_t reasons_;
  std::vector<double> p_general_;   // [Y]
  std::vector<double> p_specific_;  // [Y]
};

void sort_by_score(std::vector<Suspect>& suspects) {
  std::ranges::sort(suspects, [](const Suspect& a, const Suspect& b) {
    return a.score != b.score ? a.score > b.score : a.row < b.row;
  });
}

}  // namespace

Audit audit(const Dataset& data, std::uint32_t target, const AuditOptions& options,
            const Execution& exec) {
  refuse_hopeless(data);
  const auto tell = [&](double fraction) {
    if (options.on_progress) options.on_progress({"auditing", fraction});
  };
  const std::vector<Split> splits =
      target_folds(data, target, options.tuning.folds, options.tuning.base.seed);
  const Tuned source = chosen_options(only_source_system(), data, target, options, exec);
  tell(0.4);
  const Tuned own = chosen_options(only_target_system(), data, target, options, exec);
  tell(0.7);
  exec.throw_if_stopped();
  Audit found;
  found.general = source.settings;
  found.specific = own.settings;
  const FitContext context{.exec = exec};
  const Expert general(only_source_system().fit(data, target, source.options, context));
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Dataset rest = select_rows(data, splits[s].train);
    const Expert specific(only_target_system().fit(rest, target, own.options, context));
    Judge judge(data, target, general, specific, options.reasons);
    for (const std::size_t row : splits[s].held_out) judge.add(row, found);
    exec.throw_if_stopped();
    tell(0.7 + 0.3 * static_cast<double>(s + 1) / static_cast<double>(splits.size()));
  }
  sort_by_score(found.errors);
  sort_by_score(found.changed);
  return found;
}

std::string row_place(const Dataset& data, std::size_t row) {
  std::size_t first = 0;
  for (const SourceFile& source : data.sources) {
    if (row < first + source.rows) {
      const std::size_t number =
          data.origin.empty() ? row - first + 1 : data.origin[row].number;
      return fmt::format("{}:{}", source.file, number);
    }
    first += source.rows;
  }
  return fmt::format("{}", row + 1);
}

}  // namespace megadapt
