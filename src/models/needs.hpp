#pragma once

#include "container/sections.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

// Readers ignore sections and members that they do not know. Some they must not ignore, or
// their predictions would be wrong: the section "needs" names these, one a line, and a reader
// refuses a model that needs what it does not know.

/// Returns the format of the file that the model is stored in: 1 if version 0.1 can use the
/// model, else 2.
std::uint32_t format_of(const Model& model);

/// Writes the section, unless version 0.1 can use the model.
void add_needs(SectionWriter& out, const Model& model);

/// Throws ModelFileError, which says what is too new and which program made the file.
void refuse_unknown_needs(const SectionReader& in, const std::string& created_by);

}  // namespace megadapt
