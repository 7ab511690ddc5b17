#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/option_table.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// How input is to be read, as a caller asks for it: plain values and names of files.
struct RecipeOptions {
  std::optional<std::string> format = {};      ///< else guessed by content
  std::optional<std::string> map_labels = {};  ///< a file
  int min_count = 1;
  TextOptions text = {};
  int bins = 0;
  bool bias = true;
  std::optional<std::string> task = {};      ///< else the input is ready-made features
  std::optional<std::string> features = {};  ///< a file of templates; else the task's own
  std::vector<std::string> gazetteers = {};  ///< NAME=FILE
  std::optional<std::string> columns = {};
  std::optional<std::string> scheme = {};  ///< else read off the tags
  std::string language = "english";
  bool skip_bad = false;  ///< leave out sentences that cannot be used

  bool operator==(const RecipeOptions&) const = default;
};

/// Every option that changes what rows are made of the input, in the order of --help.
const OptionTable<RecipeOptions>& recipe_table();

/// The format of rows of this name. UsageError for another name, or one that only a task
/// reads.
Format row_format(const std::string& name);

/// Reads the files that the options name. Throws InputError; UsageError where they
/// contradict each other.
Recipe make_recipe(const RecipeOptions& options);
/// The same for the task alone, which must be given.
TaskOptions make_task(const RecipeOptions& options);

/// For the provenance of a model: those that mattered.
std::vector<std::pair<std::string, std::string>> recorded_recipe(
    const RecipeOptions& options);

}  // namespace megadapt
