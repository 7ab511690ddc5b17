#include "results/reliability.hpp"

#include <algorithm>
#include <array>

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kGateBins = 20;

std::size_t bin_of(double share, std::size_t bins) {
  return std::min(bins - 1, static_cast<std::size_t>(share * static_cast<double>(bins)));
}

double edge(std::size_t bin, std::size_t bins) {
  return static_cast<double>(bin) / static_cast<double>(bins);
}

bool is_right(const Predictions& predictions, const TestedRows& tested, std::size_t i) {
  return predictions.label[i] == tested.data.label[tested.rows[i]];
}

}  // namespace

Json reliability_json(const Reliability& reliability) {
  Json json{{"bins", Json::array()}};
  for (const ReliabilityBin& bin : reliability.bins) {
    json["bins"].push_back({{"from", bin.from},
                            {"to", bin.to},
                            {"count", bin.count},
                            {"confidence", bin.confidence},
                            {"accuracy", bin.accuracy}});
  }
  json["calibration_error"] = reliability.calibration_error;
  return json;
}

Json reliability_json(const Predictions& predictions, const TestedRows& tested,
                      std::uint32_t num_labels) {
  ReliabilityCounter counter;
  for (std::size_t i = 0; i < tested.rows.size(); ++i) {
    counter.add(predictions.probability[i * num_labels + predictions.label[i]],
                is_right(predictions, tested, i));
  }
  return reliability_json(counter.result());
}

Json gate_bins_json(std::span<const double> general, const Predictions& predictions,
                    const TestedRows& tested) {
  std::array<std::array<std::size_t, 2>, kGateBins> counts{};  // [bin][right]
  for (std::size_t i = 0; i < general.size(); ++i) {
    ++counts[bin_of(general[i], kGateBins)][is_right(predictions, tested, i)];
  }
  Json bins = Json::array();
  for (std::size_t b = 0; b < kGateBins; ++b) {
    bins.push_back({{"from", edge(b, kGateBins)},
                    {"to", edge(b + 1, kGateBins)},
                    {"right", counts[b][1]},
                    {"wrong", counts[b][0]}});
  }
  return bins;
}

}  // namespace megadapt
