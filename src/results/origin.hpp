#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/report.hpp"

namespace megadapt {

/// Adds what every report says of where its numbers come from: "title", "relatedness" of
/// two or more domains, "data", "provenance" and "commands".
void add_origin(const Dataset& train, std::uint32_t target, const Dataset* test,
                std::uint64_t seed, const ReportOptions& report, const Execution& exec,
                nlohmann::ordered_json& result);

}  // namespace megadapt
