#pragma once

#include <string>
#include <vector>

namespace megadapt::cli {

/// Columns as wide as their widest cell; the first is set left, the others right.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// 0.7968 -> "79.68".
std::string percent(double share);

}  // namespace megadapt::cli
