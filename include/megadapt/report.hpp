#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/comparison.hpp"

namespace megadapt {

struct ReportOptions {
  std::string title = {};                  ///< empty: the names of the domains
  std::vector<std::string> commands = {};  ///< that reproduce the result
  std::size_t max_rows = 2'000;            ///< number of test rows to list and explain
  /// The text to show for each row of the tested data set, as Dataset::text. If it is empty,
  /// the features are shown. Long texts are cut.
  std::vector<std::string> texts = {};
};

/// Returns a comparison as JSON with everything that the page shows: what `compare --json`
/// prints, the test rows with predictions and explanations, reliability, confusion, the
/// gate, the trace of conditional EM, how related the domains are, and the data card
/// (docs/report.md).
///
/// `train`, `target`, `test` and `options` must be those of the call of compare(). The best
/// system is fitted again, to be explained, with the settings that were tested (of each
/// fold, if there are folds). So is a MEGA system, for the gate. Taggers explain each token
/// given the predicted previous tag. If there are more than max_rows test rows, a random
/// sample (by seed) is kept.
std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const Comparison& comparison, const CompareOptions& options,
                          const ReportOptions& report, const Execution& exec);

/// Learning curves as JSON, with how related the domains are and the data card.
std::string report_result(const Dataset& train, std::uint32_t target, const Dataset* test,
                          const LearningCurves& curves, const CurveOptions& options,
                          const ReportOptions& report, const Execution& exec);

/// The page of a result: one HTML file that needs neither a network nor other files.
///
///     const std::string page = render_report(R"({"systems": [...]})", "result.json");
///
/// `result` is the result of report_result(), or the output of `compare --json`, `curve
/// --json` or `relate --json`. `file` is its name in messages. Throws InputError if it is
/// anything else, UsageError if megadapt was built without the page.
std::string render_report(std::string_view result, const std::string& file);

}  // namespace megadapt
