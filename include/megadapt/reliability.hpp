#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace megadapt {

/// Rows whose predicted label has about this probability.
struct ReliabilityBin {
  double from = 0, to = 0;
  std::size_t count = 0;
  double confidence = 0;  ///< mean probability of the predicted label
  double accuracy = 0;    ///< how often it was right
};

/// Whether a model is as often right as it is sure.
struct Reliability {
  std::vector<ReliabilityBin> bins;  ///< those of ten that have rows, ascending
  double calibration_error = 0;      ///< mean of |confidence - accuracy| over rows (ECE)
};

/// Collects one prediction after another and sums up.
class ReliabilityCounter {
 public:
  void add(double probability, bool right);
  Reliability result() const;

 private:
  struct Sums {
    std::size_t count = 0;
    double confidence = 0;
    double right = 0;
  };
  std::array<Sums, 10> bins_{};
};

}  // namespace megadapt
