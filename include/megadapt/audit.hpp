#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

/// A row of the target whose label a model of the other domains contradicts.
struct Suspect {
  std::size_t row = 0;         ///< in the data set
  std::uint32_t label = 0;     ///< as given
  std::uint32_t general = 0;   ///< by the model of the source domains
  std::uint32_t specific = 0;  ///< by a model of the target's other rows
  double p_general = 0;        ///< probability of the given label
  double p_specific = 0;
  /// In [0, 1]. Of a label error: 1 - p(label), where p is proportional to the product of
  /// the two experts' probabilities. Of a changed meaning: (1 - p_general) p_specific.
  double score = 0;
  std::vector<std::string> reasons = {};  ///< features with their weight in log-odds
};

struct Audit {
  std::size_t rows = 0;          ///< number of labelled rows of the target
  std::vector<Suspect> errors;   ///< both experts contradict the label; worst first
  std::vector<Suspect> changed;  ///< only the source contradicts it; clearest first
  Settings general;              ///< settings that tuning chose for the experts
  Settings specific;
};

struct AuditOptions {
  TuneOptions tuning = {};  ///< its folds are those that hold rows out, too
  bool tune = true;         ///< false: use the base options
  std::size_t reasons = 3;  ///< number of features of each row
  std::function<void(const Progress&)> on_progress = {};
};

/// Finds rows of the target that are probably labelled wrongly, and rows whose features
/// mean something else in the target than in the source domains.
///
///     const Audit found = audit(data, target, {}, exec);
///     for (const Suspect& row : found.errors) use(row.row, row.score);
///
/// Two experts judge every row, and neither has seen it: one is a model of the source rows,
/// the other a model of the target's rows in the other folds. The result does not depend on
/// the number of threads. Throws UsageError when there is no source domain or the target
/// cannot be split.
Audit audit(const Dataset& data, std::uint32_t target, const AuditOptions& options,
            const Execution& exec);

/// The place of a row in the files that were read, as FILE:N, where N counts rows from 1 as
/// `explain --row` does.
std::string row_place(const Dataset& data, std::size_t row);

}  // namespace megadapt
