#include "report/reliability.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kReliabilityBins = 10;
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

Json reliability_json(const Predictions& predictions, const TestedRows& tested,
                      std::uint32_t num_labels) {
  struct Bin {
    std::size_t count = 0;
    double confidence = 0;
    double right = 0;
  };
  std::array<Bin, kReliabilityBins> bins{};
  for (std::size_t i = 0; i < tested.rows.size(); ++i) {
    const double p = predictions.probability[i * num_labels + predictions.label[i]];
    Bin& bin = bins[bin_of(p, kReliabilityBins)];
    ++bin.count;
    bin.confidence += p;
    bin.right += is_right(predictions, tested, i);
  }
  Json json{{"bins", Json::array()}};
  double error = 0;
  for (std::size_t b = 0; b < kReliabilityBins; ++b) {
    const Bin& bin = bins[b];
    if (bin.count == 0) continue;
    const auto count = static_cast<double>(bin.count);
    error += std::abs(bin.confidence - bin.right);
    json["bins"].push_back({{"from", edge(b, kReliabilityBins)},
                            {"to", edge(b + 1, kReliabilityBins)},
                            {"count", bin.count},
                            {"confidence", bin.confidence / count},
                            {"accuracy", bin.right / count}});
  }
  const auto rows = static_cast<double>(std::max<std::size_t>(1, tested.rows.size()));
  json["calibration_error"] = error / rows;
  return json;
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
