#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::cli {

/// --map-labels.
void add_map_labels_option(CLI::App& command, std::string& path);

/// The map in the file that --map-labels names, if it was given.
std::optional<LabelMap> read_label_map(const std::string& path);

/// UsageError when --map-labels is given: the tags of sentences are not mapped.
void refuse_label_map(const std::string& path);

/// A warning for every rule whose label did not occur, unless --quiet.
void warn_of_unused(const std::vector<LabelMap::Rule>& unused, std::size_t dropped_rows,
                    const std::string& path, const CommonOptions& common);

}  // namespace megadapt::cli
