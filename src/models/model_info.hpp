#pragma once

#include <string>
#include <string_view>

#include "container/sections.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// The section "info": JSON of everything in ModelInfo, and the kind of the predictor. Text
/// that is not UTF-8 is stored with replacement characters.
void add_info(SectionWriter& out, const ModelInfo& info, std::string_view predictor_kind);

struct StoredInfo {
  ModelInfo info;
  std::string predictor_kind;
};

/// Unknown members are ignored. Throws ModelFileError for a missing or unfit one.
StoredInfo read_info(const SectionReader& in);

}  // namespace megadapt
