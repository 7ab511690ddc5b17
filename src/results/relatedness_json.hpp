#pragma once

#include <nlohmann/json.hpp>

#include "megadapt/relatedness.hpp"

namespace megadapt {

/// {domains, kl, auc, separators, ...}: what `relate --json` prints.
nlohmann::ordered_json relatedness_json(const Relatedness& how);

}  // namespace megadapt
