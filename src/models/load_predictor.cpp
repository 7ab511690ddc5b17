#include "models/load_predictor.hpp"

#include <fmt/format.h>

#include "megadapt/error.hpp"
#include "models/predictors.hpp"

namespace megadapt {

PredictorPtr load_predictor(const std::string& kind, const SectionReader& in,
                            const std::string& prefix) {
  if (kind == "maxent") return std::make_unique<MaxentPredictor>(in, prefix);
  if (kind == "per-domain") return std::make_unique<PerDomainPredictor>(in, prefix);
  if (kind == "combination") return std::make_unique<CombinationPredictor>(in, prefix);
  if (kind == "calibrated") return std::make_unique<CalibratedPredictor>(in, prefix);
  if (kind == "source-features") {
    return std::make_unique<SourceFeaturesPredictor>(in, prefix);
  }
  if (kind == "former") return std::make_unique<FormerPredictor>(in, prefix);
  if (kind == "mixture") return std::make_unique<MixturePredictor>(in, prefix);
  throw ModelFileError(
      fmt::format("{}: the model is of the kind '{}', which megadapt {} does not know",
                  in.file(), kind, version()),
      "install a newer version of megadapt");
}

}  // namespace megadapt
