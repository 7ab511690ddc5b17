#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "inference/prediction_lines.hpp"

namespace megadapt {
namespace {

std::string quoted_json(std::string_view text) { return json_text(nlohmann::json(text)); }

}  // namespace

PredictionJson::PredictionJson(const std::vector<std::string>& labels) {
  for (const std::string& label : labels) quoted_.push_back(quoted_json(label));
}

void PredictionJson::append(std::size_t label, std::span<const double> probability,
                            std::optional<double> general, std::string_view id,
                            std::string& out) const {
  const auto end = std::back_inserter(out);
  out += '{';
  if (!id.empty()) fmt::format_to(end, R"("id":{},)", quoted_json(id));
  fmt::format_to(end, R"("label":{},"probabilities":{{)", quoted_[label]);
  for (std::size_t y = 0; y < quoted_.size(); ++y) {
    fmt::format_to(end, "{}{}:{}", y == 0 ? "" : ",", quoted_[y], probability[y]);
  }
  out += '}';
  if (general) fmt::format_to(end, R"(,"general":{})", *general);
  out += '}';
}

}  // namespace megadapt
