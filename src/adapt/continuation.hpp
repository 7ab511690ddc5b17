#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "megadapt/evaluation.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {

/// Reads rows of one new domain for a model that is to learn on: its vocabulary and labels
/// come first, new ones behind them; text, bias and bins are the model's, the rest of the
/// recipe is given. The domain of the
/// rows is the last one, or the one of that name which the model knows. Throws UsageError
/// when the rows are of several domains or the model is of a task.
Dataset read_for_continuation(const Model& former, const std::vector<DomainFile>& files,
                              Recipe recipe = {}, const ReadControl& control = {});

struct ContinuationOptions {
  /// prior, feats or lini; empty: whichever predicts held-out rows best.
  std::string system = {};
  std::optional<double> variance = {};       ///< empty: chosen on held-out rows
  std::optional<double> interpolation = {};  ///< lini: weight of the new rows' own model
  SourceFeatures source_features = SourceFeatures::both;  ///< feats
  double tolerance = 1e-4;
  int max_passes = 1000;
  std::uint64_t seed = 1;
  std::string former_file = {};    ///< for the provenance of the new model
  std::string former_sha256 = {};  ///< likewise
  std::function<void(const Progress&)> on_progress = {};
};

/// What a way to learn on got right among rows that it had not seen.
struct ContinuationScore {
  std::string system;    ///< "former" is the old model as it is
  double variance = 0;   ///< chosen on all rows; 0 for the former model
  Evaluation held_out;   ///< of fits without the row, each with its own choice of variance
  std::string left_out;  ///< why it could not be tried; empty when it was
};

struct Continuation {
  Model model;
  std::string system;
  double variance = 0;
  std::optional<double> interpolation;    ///< lini: weight of the new rows' own model
  std::vector<ContinuationScore> scores;  ///< former, onlyi, then what was tried
  std::size_t held_out = 0;               ///< rows judged by; 0: too few to hold any out
  std::size_t new_features = 0;
  std::vector<std::string> new_labels;

  const ContinuationScore& score(std::string_view name) const;
};

/// Adapts a model to a new domain without the data it was trained on.
///
///     Model old = load_model("old.mega");
///     Dataset rows = read_for_continuation(old, {{"in", "new.txt"}});
///     Continuation next = continue_model(std::move(old), std::move(rows), {}, exec);
///     save_model(next.model, "new.mega");
///
/// Every variance that is not given is chosen from a grid by the log loss of held-out rows
/// (5 grouped folds; of more than 2000 rows one fifth). What `scores` says is measured
/// outside of that choice: it is made anew without the rows that are judged by. The model
/// is then fitted to all rows. The same for any number of threads. Throws UsageError when
/// the system needs data that a model does not hold, or weights that this one does not
/// have.
Continuation continue_model(Model former, Dataset rows, const ContinuationOptions& options,
                            const Execution& exec);

}  // namespace megadapt
