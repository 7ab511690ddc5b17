#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "adapt/former_view.hpp"

namespace megadapt {

/// What held-out rows say of a system.
struct HeldOutChoice {
  double variance = 1;
  double own_weight = 0.5;  ///< lini: of the new rows' own model
  double log_loss = 0;
};
using HeldOutChoices = std::map<std::string, HeldOutChoice>;

/// Probabilities [N][Y] of systems fitted without the row; empty rows where none was.
struct HeldOutPredictions {
  std::map<std::string, std::vector<double>> probability;
  std::vector<bool> predicted;  // [N]
};

/// Chooses variances on held-out rows, and measures what such choices are worth on others.
class HeldOut {
 public:
  /// `systems` are some of onlyi, prior, feats and lini.
  HeldOut(const FormerView& view, std::vector<std::string> systems,
          const ContinuationOptions& options);

  /// The choice on all rows, and what choices without them predict for held-out rows.
  HeldOutChoices run(HeldOutPredictions& predictions, const Execution& exec);

 private:
  struct Part {
    std::vector<std::size_t> train;
    std::vector<std::size_t> held_out;
  };
  /// [variances][held-out rows]: p(own label) of a system fitted without the row.
  using Curves = std::vector<std::vector<double>>;

  std::vector<Part> parts_of(std::span<const std::size_t> rows) const;
  bool needs(const std::string& system) const;
  HeldOutChoices choose(std::span<const std::size_t> rows, const Execution& exec);
  Curves curves(const std::string& system, const std::vector<Part>& parts,
                const Execution& exec);
  void measure(const Part& part, HeldOutPredictions& predictions, const Execution& exec);
  void count_step();

  const FormerView& view_;
  std::vector<std::string> systems_;
  const ContinuationOptions& options_;
  std::vector<double> variances_;
  std::mutex mutex_;
  std::size_t steps_done_ = 0;
  std::size_t steps_ = 1;
};

}  // namespace megadapt
