#pragma once

#include <string>

namespace megadapt::testing_support {

/// Compares `text` with the file tests/golden/`name`. To rewrite the golden files after an
/// intended change, run the tests once with MEGADAPT_UPDATE_GOLDEN=1 and review the git
/// diff.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace megadapt::testing_support
