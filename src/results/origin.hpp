#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/report.hpp"

namespace megadapt {

/// Adds what every report says of where its numbers come from: "title", "relatedness" of
/// two or more domains, "data", "provenance" and "commands".
void add_origin(const Dataset& train, std::uint32_t target, const Dataset* test,
                std::uint64_t seed, const ReportOptions& report, const Execution& exec,
                nlohmann::ordered_json& result);

/// What the systems learned from and were tested on: rows, labels, groups, repeated rows
/// and files of every domain, and of the test set where there is one.
nlohmann::ordered_json data_card_json(const Dataset& train, std::uint32_t target,
                                      const Dataset* test);

}  // namespace megadapt
