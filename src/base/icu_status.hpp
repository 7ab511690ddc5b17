#pragma once

#include <fmt/format.h>
#include <unicode/utypes.h>

#include "megadapt/error.hpp"

namespace megadapt {

/// Throws ResourceError if ICU could not do what it was asked for.
inline void require_icu(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw ResourceError(fmt::format("ICU: {}", u_errorName(status)),
                        "check that ICU and its data are installed");
  }
}

}  // namespace megadapt
