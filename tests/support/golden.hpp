#pragma once

#include <string>

namespace megadapt::testing_support {

/// Compares `text` with the file tests/golden/`name`. To renew every such file after a
/// wanted change, run the tests once with MEGADAPT_UPDATE_GOLDEN=1 and look at what git
/// shows.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace megadapt::testing_support
