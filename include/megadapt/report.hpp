#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

struct ReportOptions {
  std::string title = {};                  ///< else the names of the domains
  std::vector<std::string> commands = {};  ///< that make the result again
  std::size_t max_rows = 10'000;           ///< test rows to list and explain
  /// What to show of each row of the data that is tested on, in place of its features: the
  /// token or span in its sentence. Empty: the features.
  std::vector<std::string> texts = {};
};

/// A comparison with all that the page shows of it: the JSON of `compare --json` and the
/// test rows with predictions and explanations, reliability, confusion, the gate, the trace
/// of conditional EM, how related the domains are, and the data card. docs/report.md lists
/// it.
///
/// `train`, `target`, `test` and `options` are what compare() was called with. The best
/// system is fitted again, as it was tuned, to be explained; so is a MEGA system for the
/// gate. Of taggers every token is explained after the tag predicted for the one before. Of
/// more than max_rows test rows some are drawn with the seed.
std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const Comparison& comparison, const CompareOptions& options,
                          const ReportOptions& report, const Execution& exec);

/// Learning curves with how related the domains are and the data card.
std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const LearningCurves& curves, const CurveOptions& options,
                          const ReportOptions& report, const Execution& exec);

/// The page of a result: one HTML file that needs no network and no other file.
///
///     const std::string page = render_report(R"({"systems": [...]})", "result.json");
///
/// `result` is what report_result() returns, or `compare --json`, `curve --json` or
/// `relate --json` print. `file` is for messages. Throws InputError when it is something
/// else, UsageError when megadapt was built without the page.
std::string render_report(std::string_view result, const std::string& file);

}  // namespace megadapt
