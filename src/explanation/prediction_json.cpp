#include "explanation/prediction_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace megadapt {
namespace {

std::string quoted_json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

}  // namespace

PredictionJson::PredictionJson(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) quoted_.push_back(quoted_json(label));
}

void PredictionJson::append(std::span<const double> probability,
                            std::optional<double> general, std::string_view id,
                            std::string& out) const {
  const auto best = std::max_element(probability.begin(), probability.end());
  const auto end = std::back_inserter(out);
  out += '{';
  if (!id.empty()) fmt::format_to(end, R"("id":{},)", quoted_json(id));
  fmt::format_to(end, R"("label":{},"probabilities":{{)",
                 quoted_[static_cast<std::size_t>(best - probability.begin())]);
  for (std::size_t label = 0; label < quoted_.size(); ++label) {
    fmt::format_to(end, "{}{}:{}", label == 0 ? "" : ",", quoted_[label],
                   probability[label]);
  }
  out += '}';
  if (general) fmt::format_to(end, R"(,"general":{})", *general);
  out += '}';
}

}  // namespace megadapt
