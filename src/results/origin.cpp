#include "results/origin.hpp"

#include <fmt/format.h>

#include "megadapt/error.hpp"
#include "results/json.hpp"

namespace megadapt {
namespace {

std::string default_title(const Dataset& train, std::uint32_t target) {
  std::string sources;
  for (std::uint32_t d = 0; d < train.num_domains(); ++d) {
    if (d == target) continue;
    sources += fmt::format("{}{}", sources.empty() ? "" : ", ", train.domains().name(d));
  }
  const std::string_view name = train.domains().name(target);
  return sources.empty() ? std::string(name) : fmt::format("{} → {}", sources, name);
}

// Whether there are at least two domains and none is empty.
bool has_several_domains(const Dataset& train) {
  for (std::uint32_t d = 0; d < train.num_domains(); ++d) {
    if (train.rows_of(d).empty()) return false;
  }
  return train.num_domains() > 1;
}

std::string tested_on(const Dataset& train, const Dataset* test) {
  const char* unit = train.is_sequences() ? "tokens" : "rows";
  return test ? fmt::format("separate test {}", unit)
              : fmt::format("folds of the target's {}", unit);
}

}  // namespace

void add_origin(const Dataset& train, std::uint32_t target, const Dataset* test,
                std::uint64_t seed, const ReportOptions& report, const Execution& exec,
                nlohmann::ordered_json& result) {
  result["title"] = report.title.empty() ? default_title(train, target) : report.title;
  if (has_several_domains(train)) {
    result["relatedness"] =
        relatedness_json(relate(train, {.conflict = false, .seed = seed}, exec));
  }
  result["data"] = data_card_json(train, target, test);
  result["provenance"] = {{"made by", fmt::format("megadapt {}", version())},
                          {"seed", seed},
                          {"tested on", tested_on(train, test)}};
  result["commands"] = report.commands;
}

}  // namespace megadapt
