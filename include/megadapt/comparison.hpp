#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "megadapt/evaluation.hpp"
#include "megadapt/significance.hpp"
#include "megadapt/tuning.hpp"

namespace megadapt {

/// One system after tuning, training and testing.
struct SystemResult {
  std::string name;
  std::string left_out = {};   ///< why it could not run; empty when it did
  Evaluation evaluation = {};  ///< on the test rows; its interval is a bootstrap's
  Settings tuned = {};         ///< with folds: what most folds chose
  std::vector<Trial> tried = {};
  Predictions predictions = {};  ///< of the test rows, in order
  double error_reduction = 0;    ///< the share of this system's error that the best avoids
  double seconds = 0;
};

/// Two systems on the same test rows.
struct PairResult {
  std::string a;
  std::string b;
  McNemar test = {};
  /// Of taggers of spans: approximate randomisation of the span F1, by sentence.
  std::optional<double> p_f1 = {};
  double p_holm = 1;                 ///< corrected for the number of pairs
  double difference = 0;             ///< accuracy of a minus accuracy of b
  std::array<double, 2> interval{};  ///< 95% of the difference, paired bootstrap
};

struct Comparison {
  std::vector<SystemResult> systems;  ///< in the order asked for
  std::vector<PairResult> pairs;      ///< of the systems that ran
  std::string best;                   ///< empty when none ran
  std::string verdict;                ///< one plain sentence
  std::size_t examples = 0;           ///< test rows
  std::size_t duplicates = 0;         ///< test rows that training has too
  bool complete = true;               ///< false when interrupted before the last system
};

struct CompareOptions {
  std::vector<std::string> systems = {};  ///< empty: all
  TuneOptions tuning = {};
  bool tune = true;                      ///< false: the base options as they are
  Criterion rank = Criterion::accuracy;  ///< what "best" means
  int folds = 10;                        ///< of the target's rows, without test rows
  std::string resume = {};  ///< directory that keeps what is finished; empty: none
  /// Share the systems out; each has all rows, and all get the whole result.
  Communicator* ranks = &serial_communicator();
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const SystemResult&)> on_system = {};  ///< finished, in order
};

/// Tunes, trains and tests systems on the same rows, and says which to use.
///
///     const Dataset test = read_test_rows("in.test.txt", train);
///     const Comparison table = compare(train, target, &test, {}, exec);
///
/// Without `test` the target's rows are dealt into folds, each predicted by systems tuned
/// and trained on the rest. A system that cannot run is left out with the reason. When the
/// execution is stopped, what is finished is returned and `complete` is false. Throws
/// UsageError for an unknown system, too few rows, or a `resume` directory of another
/// comparison.
Comparison compare(const Dataset& train, std::uint32_t target, const Dataset* test,
                   const CompareOptions& options, const Execution& exec);

/// Labelled rows over the vocabulary of `train`, for testing: features that it lacks are
/// left out; labels that it lacks get ids from train.num_labels() on. Every row counts as
/// one of `target`.
Dataset read_test_rows(const std::string& path, const Dataset& train, std::uint32_t target,
                       const ReadOptions& options = {});

/// "onlyi,mix", "all": names in the order of the registry, each once; UsageError with a
/// suggestion for an unknown one.
std::vector<std::string> parse_systems(std::string_view text);

}  // namespace megadapt
