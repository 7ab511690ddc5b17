#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "megadapt/training.hpp"

namespace megadapt::cli {

/// Writes one JSON line per sub-step of conditional EM.
class Trace {
 public:
  Trace(const std::string& path, std::vector<std::string> domains);
  void add(const MixtureStep& step);
  void finish() { file_.commit(); }

 private:
  AtomicFile file_;
  std::vector<std::string> domains_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace megadapt::cli
