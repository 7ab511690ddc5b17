#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/option_table.hpp"
#include "megadapt/dataset.hpp"
#include "words/cluster.hpp"

namespace megadapt {

/// How to read the input, as the caller states it: plain values and names of files.
struct RecipeOptions {
  std::optional<std::string> format = {};      ///< default: guessed by content
  std::optional<std::string> map_labels = {};  ///< a file
  int min_count = 1;
  TextOptions text = {};
  ColumnNames column_names = {};
  int bins = 0;
  bool bias = true;
  std::optional<std::string> task = {};      ///< default: the input has features already
  std::optional<std::string> features = {};  ///< a file of templates; default: the task's
  std::vector<std::string> gazetteers = {};  ///< NAME=FILE
  std::optional<std::string> word_classes = {};     ///< a file
  std::optional<std::string> word_vectors = {};     ///< a file
  std::string vector_classes = words::kUsualSizes;  ///< how many classes vectors become
  std::optional<std::string> columns = {};
  std::optional<std::string> scheme = {};  ///< default: guessed from the tags
  std::string language = "english";
  bool skip_bad = false;  ///< skip sentences that cannot be used

  bool operator==(const RecipeOptions&) const = default;
};

/// All options that change how input becomes rows, in the order of --help.
const OptionTable<RecipeOptions>& recipe_table();

/// Returns the row format called `name`. Throws UsageError for any other name, including
/// formats that only tasks read.
Format row_format(const std::string& name);

/// The classes of words that the options name: read from a table, or made from vectors by
/// `threads` threads (0: one per core). The result does not depend on their number.
WordClasses word_classes_for(const RecipeOptions& options, int threads = 1);

/// Throws UsageError if columns of rows are named: a task reads sentences, whose columns
/// --columns names.
void refuse_row_columns(const ColumnNames& columns);

/// Makes a recipe and reads the files that the options name. Throws InputError for a bad
/// file and UsageError when options contradict each other.
Recipe make_recipe(const RecipeOptions& options, int threads = 1);
/// The same for the task alone. options.task must be set.
TaskOptions make_task(const RecipeOptions& options, int threads = 1);

/// The options that had an effect, by name, for the provenance of a model.
std::vector<std::pair<std::string, std::string>> recorded_recipe(
    const RecipeOptions& options);

}  // namespace megadapt
