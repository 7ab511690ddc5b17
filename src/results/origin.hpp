#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/comparison.hpp"
#include "megadapt/report.hpp"

namespace megadapt {

/// Adds the origin of a report's numbers: "title", "relatedness" (of two or more domains),
/// "data", "provenance" and "commands".
void add_origin(const Dataset& train, std::uint32_t target, const Dataset* test,
                std::uint64_t seed, const ReportOptions& report, const Execution& exec,
                nlohmann::ordered_json& result);

/// Describes the training and test data: rows, labels, groups, repeated rows and files of
/// every domain, and of the test set if there is one.
nlohmann::ordered_json data_card_json(const Dataset& train, std::uint32_t target,
                                      const Dataset* test);

}  // namespace megadapt
