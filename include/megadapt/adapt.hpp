#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/evaluation.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {

/// Reads rows of one new domain for a model that is to learn on: its vocabulary and labels
/// come first, new ones behind them; text, bias and bins are the model's. The domain of the
/// rows is the last one, or the one of that name which the model knows. Throws UsageError
/// when the rows are of several domains or the model is of a task.
Dataset read_for_adapting(const Model& former, const std::vector<DomainFile>& files,
                          Recipe recipe = {}, const ReadControl& control = {});

struct AdaptOptions {
  /// A system that can learn from a model in place of source rows (SystemTraits); empty:
  /// whichever predicts held-out rows best.
  std::string system = {};
  Options base = {};                    ///< what is not chosen, and the seed
  std::vector<std::string> fixed = {};  ///< options that stay as `base` has them
  std::string former_file = {};         ///< for the provenance of the new model
  std::string former_sha256 = {};       ///< likewise
  std::function<void(const Progress&)> on_progress = {};
};

/// The held-out score of one way to learn on.
struct AdaptScore {
  std::string system;         ///< "former" is the old model as it is
  Settings settings = {};     ///< chosen on all rows
  Evaluation held_out = {};   ///< of fits without the row, each with its own settings
  std::string left_out = {};  ///< why it could not be tried; empty when it was
};

struct Adapted {
  Model model;
  std::string system;
  Options options;                      ///< that the model was fitted with
  std::optional<double> interpolation;  ///< of a combination: weight of the new rows' own
                                        ///< model
  std::vector<AdaptScore> scores;       ///< former, onlyi, then what was tried
  std::size_t held_out = 0;             ///< rows judged by; 0: too few to hold any out
  std::size_t new_features = 0;
  std::vector<std::string> new_labels;

  /// Of a model of the new rows alone, which knows nothing of the former one.
  const AdaptScore& own_rows() const { return scores[1]; }
  /// UsageError for a name that was not measured.
  const AdaptScore& score(std::string_view name) const;
};

/// Adapts a model to a new domain without the data it was trained on.
///
///     Model old = load_model("old.mega");
///     Dataset rows = read_for_adapting(old, {{"in", "new.txt"}});
///     Adapted next = adapt_model(std::move(old), std::move(rows), {}, exec);
///     save_model(next.model, "new.mega");
///
/// Systems are tuned and compared as tune() and compare() do it, with the old model in
/// place of source rows: `scores` are measured by cross-validation whose settings are
/// chosen without the rows that are judged (of more than 2000 rows one fifth is held out
/// instead). The model is then fitted to all rows. The same for any number of threads.
/// Throws UsageError when the system needs rows that a model does not hold, or weights that
/// this one does not have.
Adapted adapt_model(Model former, Dataset rows, const AdaptOptions& options,
                    const Execution& exec);

}  // namespace megadapt
