#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "dataset/recipe_options.hpp"
#include "megadapt/corpus.hpp"
#include "megadapt/model.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt::cli {

/// The rows to learn from and how they are read.
struct InputOptions {
  std::vector<std::string> domains;  ///< NAME=FILE
  std::string target;
  RecipeOptions reading;
};

/// --domain, which is required.
void add_domain_option(CLI::App& command, std::vector<std::string>& domains,
                       const std::string& help);
/// --domain and how files are read; --target unless all domains count alike.
void add_input_options(CLI::App& command, InputOptions& options, bool with_target = true);
void add_format_option(CLI::App& command, std::string& format);
/// Some options of the recipe, by name.
void add_recipe_options(CLI::App& command, const std::vector<std::string>& names,
                        RecipeOptions& reading);
/// MODEL and --no-verify.
void add_model_argument(CLI::App& command, std::string& path, bool& no_verify);

/// UsageError for a format that only a task reads.
Format chosen_format(const std::string& name);

/// NAME=FILE, split at the first '='; UsageError when a side is empty.
DomainFile parse_domain(const std::string& text);

/// Every NAME=FILE; a pattern that is no file itself stands for those it matches, in order.
std::vector<DomainFile> domain_files(const std::vector<std::string>& texts);

/// UsageError for standard input of several ranks: only the first would get it.
void refuse_shared_input(const std::string& path, const CommonOptions& common);

/// The rows of all domains; warns of rules of the label map that no row needed, and tells
/// what was left out. With several ranks, this one's share. `with_texts` keeps what a
/// report shows of the target's rows.
Dataset read_input(const InputOptions& options, const CommonOptions& common,
                   Communicator& ranks = serial_communicator(), bool with_texts = false);

/// Rows to test on, over the vocabulary of `train`, read as its rows were.
Dataset read_test_input(const InputOptions& options, const std::string& path,
                        const Dataset& train, std::uint32_t target,
                        bool with_texts = false);

/// The domain to serve: --target, or the only one. UsageError with a suggestion.
std::string chosen_target(const InputOptions& options, const Dataset& data);

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
