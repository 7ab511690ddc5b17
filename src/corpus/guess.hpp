#pragma once

#include <string>
#include <string_view>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// Throws InputError when `head`, the first bytes of a file, belongs to something that no
/// reader can use: a model file, an archive, UTF-16.
void refuse_foreign(std::string_view head, const std::string& file);

/// The format of a file that begins with `sample`; `whole` says that it also ends there.
/// Throws InputError when the lines look like no format, or like two.
Format guess_format(std::string_view sample, bool whole, bool labelled,
                    const std::string& file);

}  // namespace megadapt::corpus
