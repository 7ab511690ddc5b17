#pragma once

#include <fmt/format.h>
#include <unicode/utypes.h>

#include "megadapt/error.hpp"

namespace megadapt::sentences {

/// Throws ResourceError if ICU could not do what it was asked for.
inline void require(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw ResourceError(fmt::format("ICU: {}", u_errorName(status)),
                        "check that ICU and its data are installed");
  }
}

}  // namespace megadapt::sentences
