#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "megadapt/classifier.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// How much more a feature speaks for the true label in the new model than in the old one,
/// in log-odds against the wrong label.
struct FeatureChange {
  std::string name;
  double change = 0;
};

/// A row, token or span that exactly one of two models gets right.
struct ChangedRow {
  std::size_t row = 0;  ///< from 1, as `explain --row` counts
  std::string id = {};
  std::string text = {};  ///< of a token or span: its sentence; else the row's text
  std::string label = {};
  std::string before = {};  ///< the old model's label
  std::string after = {};   ///< the new model's label
  double p_before = 0;      ///< the probability of the true label
  double p_after = 0;
  std::vector<FeatureChange> features = {};  ///< the largest changes first
};

/// Two models on the same labelled rows.
struct ModelDiff {
  std::size_t rows = 0;
  Evaluation before;
  Evaluation after;
  McNemar test;                  ///< a is the old model
  std::vector<ChangedRow> won;   ///< only the new model has them right
  std::vector<ChangedRow> lost;  ///< only the old model has them right
  /// Summed over won and lost rows, the largest changes first.
  std::vector<FeatureChange> features;
  std::string sha256;  ///< of the file
  /// Rows that name a domain which the old model does not know.
  UnknownDomains unknown_before = {};
  UnknownDomains unknown_after = {};  ///< the same for the new model
};

struct DiffOptions {
  OpenOptions open = {};           ///< `labelled` and `digest` are always set
  std::string before_domain = {};  ///< the domain of rows for the old model; empty: target
  std::string after_domain = {};
  std::size_t row_features = 5;  ///< number of features kept for each row
  std::uint64_t seed = 1;        ///< of bootstrap intervals
};

/// Compares what two models predict for the rows of a file, each reading it by its own
/// recipe.
///
///     const ModelDiff diff = diff_models(load_model("old.mega"), load_model("new.mega"),
///                                        "test.csv");
///     diff.lost.size();
///
/// A feature's change is the difference of its terms in log p(true) / p(wrong) as explain()
/// gives them, where `wrong` is the label of the model that is wrong. The terms of a
/// mixture or combination are weighted by the shares of its parts, which is approximate.
/// Throws UsageError if just one model has a task, InputError when the models read
/// different rows.
ModelDiff diff_models(const Model& before, const Model& after, const std::string& path,
                      const DiffOptions& options = {});

}  // namespace megadapt
