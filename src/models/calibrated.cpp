#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/load_predictor.hpp"
#include "models/predictors.hpp"

namespace megadapt {

// Dividing by the largest first keeps its power at 1, so the sum cannot be 0.
void apply_temperature(double temperature, std::span<double> probability) {
  const double largest = *std::ranges::max_element(probability);
  double total = 0;
  for (double& p : probability) {
    p = std::pow(p / largest, 1 / temperature);
    total += p;
  }
  for (double& p : probability) p /= total;
}

CalibratedPredictor::CalibratedPredictor(const SectionReader& in,
                                         const std::string& prefix) {
  const auto temperature = in.f64(prefix + "temperature");
  if (temperature.size() != 1 || !(temperature[0] > 0) || !std::isfinite(temperature[0])) {
    in.damaged(fmt::format("section '{}temperature' is not a number above 0", prefix));
  }
  temperature_ = temperature[0];
  const std::string own = prefix + "calibrated/";
  const std::string kind = in.text(own + "kind");
  if (kind == "calibrated") in.damaged("a calibrated model is calibrated again");
  inner_ = load_predictor(kind, in, own);
}

void CalibratedPredictor::predict(RowView row, std::uint32_t domain,
                                  Numbers probability) const {
  inner_->predict(row, domain, probability);
  apply_temperature(temperature_, probability);
}

void CalibratedPredictor::predict_extended(RowView base, Rows extensions,
                                           std::uint32_t domain,
                                           Numbers probability) const {
  inner_->predict_extended(base, extensions, domain, probability);
  const std::size_t Y = num_labels();
  for (std::size_t e = 0; e < extensions.size(); ++e) {
    apply_temperature(temperature_, probability.subspan(e * Y, Y));
  }
}

ModelPart CalibratedPredictor::parts(const PartNames& names) const {
  ModelPart whole = inner_->parts(names);
  whole.temperature = temperature_;
  return whole;
}

void CalibratedPredictor::save(SectionWriter& out, const std::string& prefix) const {
  out.add(prefix + "temperature", std::span<const double>(&temperature_, 1));
  out.add(prefix + "calibrated/kind", std::string(inner_->kind()));
  inner_->save(out, prefix + "calibrated/");
}

}  // namespace megadapt
