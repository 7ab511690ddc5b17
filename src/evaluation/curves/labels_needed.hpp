#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace megadapt {

/// Accuracy and number of labels at each size, of one repeat.
struct LabelledSteps {
  std::vector<double> labels;
  std::vector<double> accuracy;
};

/// The number of labels that the second order needs for the accuracy that the first one
/// has with all of its labels, as a share of them. Above 1 if the second is worse.
struct LabelsNeeded {
  double accuracy = 0;
  double share = 1;
  std::array<double, 2> interval{1, 1};  ///< 95%, bootstrap over the repeats
};

/// Both are [repeats], and a repeat has the same test rows in both. An isotonic regression
/// makes the means over the repeats rise with the size. Between sizes, accuracy is linear in
/// the logarithm of the number of labels.
LabelsNeeded labels_needed(const std::vector<LabelledSteps>& first,
                           const std::vector<LabelledSteps>& second, std::uint64_t seed);

}  // namespace megadapt
