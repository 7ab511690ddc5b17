#include "report/origin.hpp"

#include <fmt/format.h>

#include "megadapt/version.hpp"
#include "report/data_card.hpp"

namespace megadapt {
namespace {

std::string default_title(const Dataset& train, std::uint32_t target) {
  std::string sources;
  for (std::uint32_t d = 0; d < train.num_domains(); ++d) {
    if (d == target) continue;
    sources += fmt::format("{}{}", sources.empty() ? "" : ", ", train.domains.name(d));
  }
  const std::string_view name = train.domains.name(target);
  return sources.empty() ? std::string(name) : fmt::format("{} → {}", sources, name);
}

}  // namespace

void add_origin(const Dataset& train, std::uint32_t target, const Dataset* test,
                std::uint64_t seed, const ReportOptions& report,
                nlohmann::ordered_json& result) {
  result["title"] = report.title.empty() ? default_title(train, target) : report.title;
  result["data"] = data_card_json(train, target, test);
  result["provenance"] = {
      {"made by", fmt::format("megadapt {}", version())},
      {"seed", seed},
      {"tested on", test ? "rows of their own" : "folds of the target's rows"}};
  result["commands"] = report.commands;
}

}  // namespace megadapt
