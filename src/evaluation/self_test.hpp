#pragma once

#include <string>
#include <vector>

#include "megadapt/execution.hpp"

namespace megadapt {

/// The result of a system on a small planted task, and the result that it had when this
/// version was made.
struct SelfTest {
  std::string system;
  double accuracy = 0;
  double expected_accuracy = 0;
  double log_loss = 0;  ///< mean nats per row
  double expected_log_loss = 0;
  /// Whether both agree, up to rounding and the tolerance of a fit.
  bool ok() const;
};

/// Trains several systems on rows drawn with a fixed seed and tests them on further rows.
/// Takes less than two seconds.
std::vector<SelfTest> run_self_test(const Execution& exec);

}  // namespace megadapt
