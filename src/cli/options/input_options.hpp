#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "dataset/recipe_options.hpp"
#include "megadapt/corpus.hpp"
#include "megadapt/model.hpp"

namespace megadapt::cli {

/// The rows to learn from and how they are read.
struct InputOptions {
  std::vector<std::string> domains;  ///< NAME=FILE
  std::string target;
  std::vector<std::string> unlabelled;  ///< files of target rows without labels
  std::string row_cache;                ///< the folder of --row-cache
  RecipeOptions reading;
};

/// Adds --domain, which is required.
void add_domain_option(CLI::App& command, std::vector<std::string>& domains,
                       const std::string& help);
/// Adds --domain, --row-cache, the options for reading files, and --target if `with_target`.
void add_input_options(CLI::App& command, InputOptions& options, bool with_target = true);
/// Adds --unlabelled, for commands that train.
CLI::Option* add_unlabelled_files_option(CLI::App& command, InputOptions& options);
void add_format_option(CLI::App& command, std::string& format);
/// Adds the recipe options with these names.
void add_recipe_options(CLI::App& command, const std::vector<std::string>& names,
                        RecipeOptions& reading);
/// Adds MODEL and --no-verify.
void add_model_argument(CLI::App& command, std::string& path, bool& no_verify);

/// Returns the format of this name. Throws UsageError for a format that only tasks read.
Format chosen_format(const std::string& name);

/// Splits NAME=FILE at the first '='. Throws UsageError when a side is empty.
DomainFile parse_domain(const std::string& text);

/// Parses every NAME=FILE. A pattern that is not itself a file becomes its sorted matches.
std::vector<DomainFile> domain_files(const std::vector<std::string>& texts);

/// Throws UsageError if several ranks read standard input: only the first would get it.
void refuse_shared_input(const std::string& path, const CommonOptions& common);

/// Reads the rows of all domains; with several ranks, this rank's share. Warns about unused
/// rules of the label map and reports rows that were left out. Reads the files of
/// --unlabelled too, and says if labels in them were ignored. `with_texts` keeps the texts
/// of target rows that a report shows. With --row-cache, takes the rows of an earlier run
/// if the input is the same, and says the same about them.
Dataset read_input(const InputOptions& options, const CommonOptions& common,
                   Communicator& ranks = serial_communicator(), bool with_texts = false);

/// Reads rows to test on in the same way as `train` was, with its vocabulary.
Dataset read_test_input(const InputOptions& options, const std::string& path,
                        const Dataset& train, std::uint32_t target,
                        bool with_texts = false);

/// Returns --target, or the only domain. Throws UsageError with a suggestion.
std::string chosen_target(const InputOptions& options, const Dataset& data);

/// Adds --map-labels.
void add_map_labels_option(CLI::App& command, std::string& path);

/// Reads the map from the file of --map-labels, if given.
std::optional<LabelMap> read_label_map(const std::string& path);

/// Throws UsageError if --map-labels is given: the tags of sentences cannot be mapped.
void refuse_label_map(const std::string& path);

/// Warns about every rule whose label did not occur, unless --quiet.
void warn_of_unused(const std::vector<LabelMap::Rule>& unused, std::size_t dropped_rows,
                    const std::string& path, const CommonOptions& common);

}  // namespace megadapt::cli
