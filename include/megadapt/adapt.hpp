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

/// Reads rows or sentences of one domain to adapt a model to, by the model's recipe. Only
/// the format, the label map and the column names come from `asked`. Vocabulary and labels
/// begin with those of the model. The rows belong to the model's domain of that name, or to
/// a new domain, which comes last. Throws UsageError when the rows belong to several
/// domains.
Dataset read_for_adapting(const Model& former, const std::vector<DomainFile>& files,
                          const Recipe& asked = {}, const ReadControl& control = {});

struct AdaptOptions {
  /// Name of a system with SystemTraits::takes_former. Empty: the one that predicts
  /// held-out rows best.
  std::string system = {};
  Options base = {};                    ///< the options that are not tuned, and the seed
  std::vector<std::string> fixed = {};  ///< options to take from `base` without tuning
  std::string former_file = {};         ///< for the provenance of the new model
  std::string former_sha256 = {};       ///< for the provenance of the new model
  std::function<void(const Progress&)> on_progress = {};
};

/// The held-out score of one system.
struct AdaptScore {
  std::string system;         ///< "former" is the old model, unchanged
  Settings settings = {};     ///< chosen by all rows
  Evaluation held_out = {};   ///< of fits without the held-out rows, tuned without them too
  std::string left_out = {};  ///< why it could not be tried; empty if it was
};

struct Adapted {
  Model model;
  std::string system;
  Options options;  ///< of the final fit
  /// For a combination: the weight of the model trained on the new rows alone.
  std::optional<double> interpolation;
  std::vector<AdaptScore> scores;  ///< former, onlyi, then the systems that were tried
  std::size_t held_out = 0;        ///< number of held-out rows; 0: too few rows for that
  std::size_t new_features = 0;
  std::vector<std::string> new_labels;

  /// The score of a model trained on the new rows alone.
  const AdaptScore& own_rows() const { return scores[1]; }
  /// The score of the old model, unchanged.
  const AdaptScore& former() const { return scores[0]; }
  /// Whether the old model predicts held-out rows at least as well as the new one, by log
  /// loss. False when nothing was held out.
  bool keep_old() const;
  /// The score of a system. Throws UsageError if it was not tried.
  const AdaptScore& score(std::string_view name) const;
};

/// Adapts a model to a new domain without the data it was trained on.
///
///     Model old = load_model("old.mega");
///     Dataset rows = read_for_adapting(old, {{"in", "new.txt"}});
///     Adapted next = adapt_model(std::move(old), std::move(rows), {}, exec);
///     save_model(next.model, "new.mega");
///
/// Tunes and compares systems as tune() and compare() do, with the old model in place of
/// source rows. `scores` come from cross-validation in which settings are chosen without
/// the held-out rows; if there are more than 2000 rows, one fifth is held out instead. The
/// model is then fitted to all rows. The result does not depend on the number of threads.
/// Throws UsageError when the system needs source rows, or weights that the old model
/// lacks.
Adapted adapt_model(Model former, Dataset rows, const AdaptOptions& options,
                    const Execution& exec);

}  // namespace megadapt
