#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "container/sections.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// The section "info": JSON of everything in ModelInfo, the kind of the predictor, the tag
/// scheme, and of the recipe what version 0.1 reads. Text that is not UTF-8 is stored with
/// replacement characters.
void add_info(SectionWriter& out, const Model& model);

struct StoredInfo {
  ModelInfo info;
  std::string predictor_kind;
  TextOptions text;
  std::optional<TagScheme> scheme;  ///< files of version 0.1 do not say
};

/// Unknown members are ignored. Throws ModelFileError for a missing or unfit one.
StoredInfo read_info(const SectionReader& in);

}  // namespace megadapt
