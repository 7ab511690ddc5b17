#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/json.hpp"
#include "inference/prediction_lines.hpp"

namespace megadapt {
namespace {

std::string quoted_json(std::string_view text) { return json_text(nlohmann::json(text)); }

}  // namespace

PredictionJson::PredictionJson(const std::vector<std::string>& labels)
    : all_(labels.size()) {
  for (const std::string& label : labels) quoted_.push_back(quoted_json(label));
  std::iota(all_.begin(), all_.end(), 0);
}

void PredictionJson::append(std::size_t label, std::span<const double> probability,
                            std::optional<double> general, std::string_view id,
                            std::string& out) const {
  append_object(quoted_[label], all_, probability, general, id, out);
}

void PredictionJson::append_some(std::string_view label,
                                 std::span<const std::uint32_t> shown,
                                 std::span<const double> probability,
                                 std::optional<double> general, std::string_view id,
                                 std::string& out) const {
  append_object(quoted_json(label), shown, probability, general, id, out);
}

void PredictionJson::append_object(std::string_view quoted_label,
                                   std::span<const std::uint32_t> shown,
                                   std::span<const double> probability,
                                   std::optional<double> general, std::string_view id,
                                   std::string& out) const {
  const auto end = std::back_inserter(out);
  out += '{';
  if (!id.empty()) fmt::format_to(end, R"("id":{},)", quoted_json(id));
  fmt::format_to(end, R"("label":{},"probabilities":{{)", quoted_label);
  const char* separator = "";
  for (const std::uint32_t y : shown) {
    fmt::format_to(end, "{}{}:{}", separator, quoted_[y], probability[y]);
    separator = ",";
  }
  out += '}';
  if (general) fmt::format_to(end, R"(,"general":{})", *general);
  out += '}';
}

}  // namespace megadapt
