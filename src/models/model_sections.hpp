#pragma once

#include <optional>
#include <span>
#include <string>

#include "container/sections.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// Writes names as two sections: `prefix`/ends says where each name ends in `prefix`/bytes.
void add_names(SectionWriter& out, const std::string& prefix, NameIndexView names);

/// Writes the hash table `prefix`/slots, then the names.
void add_index(SectionWriter& out, const std::string& prefix, NameIndexView names);

/// Reads names without a hash table. Every name lies inside the bytes, so the view is safe
/// whatever the file holds. Throws ModelFileError.
NameIndexView read_names(const SectionReader& in, const std::string& prefix);

/// Reads names with their hash table. All slots refer to names.
NameIndexView read_index(const SectionReader& in, const std::string& prefix);

/// Returns whether `ends` never decreases and ends at the size of `bytes`.
bool are_ends_of(std::span<const std::uint64_t> ends, std::span<const char> bytes);

/// Writes the sections binning/ends and binning/bytes (names), binning/begin and
/// binning/edges; nothing if no feature is binned.
void add_binning(SectionWriter& out, const Binning& binning);

/// Throws ModelFileError if the sections contradict each other.
Binning read_binning(const SectionReader& in);

/// Writes the sections scaling/shift and scaling/scale; nothing if no value is scaled.
void add_scaling(SectionWriter& out, const Scaling& scaling);
/// Throws ModelFileError if there are more values than features.
Scaling read_scaling(const SectionReader& in, std::uint32_t num_features);

/// Writes the classes of words: the sections classes/columns, classes/words and classes/names
/// (one a line) and classes/ids ([words][columns]); nothing if there are none.
void add_classes(SectionWriter& out, const WordClasses& classes);
/// Throws ModelFileError if the sections contradict each other.
WordClasses read_classes(const SectionReader& in);

/// Writes the section "info": JSON with everything in ModelInfo, the predictor's kind, the
/// tag scheme, and the parts of the recipe that version 0.1 reads. Text that is not UTF-8
/// gets replacement characters.
void add_info(SectionWriter& out, const Model& model);

struct StoredInfo {
  ModelInfo info;
  std::string predictor_kind;
  TextOptions text;
  std::optional<TagScheme> scheme;  ///< missing in files of version 0.1
};

/// Ignores unknown members. Throws ModelFileError if one is missing or invalid.
StoredInfo read_info(const SectionReader& in);

}  // namespace megadapt
