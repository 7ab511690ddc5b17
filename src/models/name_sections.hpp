#pragma once

#include <span>
#include <string>

#include "container/sections.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// Names as two sections: `prefix`/ends says where each name ends in `prefix`/bytes.
void add_names(SectionWriter& out, const std::string& prefix, NameIndexView names);

/// The same with the hash table `prefix`/slots before them.
void add_index(SectionWriter& out, const std::string& prefix, NameIndexView names);

/// Names without a hash table. The view is safe to use whatever the file holds: every name
/// lies inside the bytes. Throws ModelFileError.
NameIndexView read_names(const SectionReader& in, const std::string& prefix);

/// Names with their hash table, whose slots refer to names.
NameIndexView read_index(const SectionReader& in, const std::string& prefix);

/// Whether `ends` never falls and ends with the last of `bytes`.
bool are_ends_of(std::span<const std::uint64_t> ends, std::span<const char> bytes);

}  // namespace megadapt
