#pragma once

#include <optional>
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

/// The sections binning/ends and binning/bytes (names), binning/begin and binning/edges;
/// none of them when nothing is binned.
void add_binning(SectionWriter& out, const Binning& binning);

/// Throws ModelFileError when the sections do not fit each other.
Binning read_binning(const SectionReader& in);

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
