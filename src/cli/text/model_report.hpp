#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "megadapt/model.hpp"

namespace megadapt::cli {

/// {version, system, task, domains, labels, features, options, created_by, data, ...}.
nlohmann::ordered_json model_info_json(const Model& model);
std::string model_info_text(const Model& model);

}  // namespace megadapt::cli
