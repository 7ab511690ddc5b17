#include "dataset/recipe_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/mapped_file.hpp"
#include "corpus/columns.hpp"
#include "words/cluster.hpp"
#include "words/vectors.hpp"

namespace megadapt {
namespace {

using Field = OptionField<RecipeOptions>;

const std::string kInput = "Input";
const std::string kColumns = "Columns of CSV, TSV and JSON Lines";
const std::string kTask = "Task";
const std::string kWords = "Words";

Field name_among(std::optional<std::string> RecipeOptions::*field,
                 const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> named;
  for (const std::string& name : names) named.emplace_back(name, name);
  return choice(field, named);
}

template <class Access>
Field any_text(Access access, const std::string& accepts) {
  return field_of<RecipeOptions>(
      access,
      [accepts](std::string_view name, std::string_view text) {
        if (text.empty()) refuse_value(name, text, accepts);
        return std::string(text);
      },
      [](const std::string& text) { return text; }, "str", accepts);
}

template <class Access>
Field flag(Access access) {
  Field field = field_of<RecipeOptions>(
      access,
      [](std::string_view name, std::string_view text) {
        return parse_choice(name, text, {"false", "true"}) == 1;
      },
      [](bool value) { return std::string(value ? "true" : "false"); }, "bool", {});
  return field;
}

// A list of names, one each time the option is given.
Field several_names(std::vector<std::string> ColumnNames::*member) {
  Field field;
  field.parse = [member](std::string_view name, RecipeOptions& options,
                         std::string_view text) {
    if (text.empty()) refuse_value(name, text, "the name of a column");
    (options.column_names.*member).emplace_back(text);
  };
  field.print = [member](const RecipeOptions& options) {
    return options.column_names.*member;
  };
  field.type = "list[str]";
  field.accepts = "the name of a column";
  field.repeats = true;
  return field;
}

// The same, where one text may hold several names with commas between them.
Field listed_names(std::vector<std::string> ColumnNames::*member) {
  Field field = several_names(member);
  field.parse = [one = field.parse](std::string_view name, RecipeOptions& options,
                                    std::string_view text) {
    for (;;) {
      const std::size_t comma = text.find(',');
      one(name, options, text.substr(0, comma));
      if (comma == text.npos) return;
      text.remove_prefix(comma + 1);
    }
  };
  return field;
}

Field text_weights_field() {
  const auto known = text_weights_names();
  const std::vector<std::string> names(known.begin(), known.end());
  Field field = field_of<RecipeOptions>(
      [](auto& options) -> auto& { return options.text.weights; },
      [names](std::string_view name, std::string_view text) {
        return parse_text_weights(names[parse_choice(name, text, names)]);
      },
      [](TextWeights weights) { return std::string(text_weights_name(weights)); }, "str",
      {});
  field.choices = names;
  return field;
}

Field gazetteer_field() {
  Field field;
  field.parse = [](std::string_view name, RecipeOptions& options, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
      refuse_value(name, text, "NAME=FILE", "write --gazetteer cities=cities.txt");
    }
    options.gazetteers.emplace_back(text);
  };
  field.print = [](const RecipeOptions& options) { return options.gazetteers; };
  field.type = "list[str]";
  field.accepts = "NAME=FILE";
  field.repeats = true;
  return field;
}

std::vector<Option<RecipeOptions>> input_entries() {
  const auto of_text = [](auto member) {
    return [member](auto& options) -> auto& { return options.text.*member; };
  };
  return {
      {.name = "format",
       .field = name_among(&RecipeOptions::format,
                           {"megam", "megam-fvals", "libsvm", "jsonl", "csv", "tsv",
                            "conll", "conllu", "text", "prose"}),
       .help = "Input format (default: guessed from the content)",
       .common = true},
      {.name = "map-labels",
       .field = any_text(&RecipeOptions::map_labels, "a file"),
       .metavar = "FILE",
       .help = "Rename labels by the lines OLD<TAB>NEW or DOMAIN<TAB>OLD<TAB>NEW of this "
               "file; the new label - drops the row"},
      {.name = "min-count",
       .field = number(&RecipeOptions::min_count, whole_from(1)),
       .metavar = "N",
       .help = "Drop features that occur in fewer than N rows"},
      {.name = "hash-bits",
       .field = number_by<RecipeOptions>(of_text(&TextOptions::hash_bits),
                                         whole_from(0, kMostHashBits)),
       .metavar = "N",
       .help = "Replace feature names by N-bit hashes, to save memory; 0 keeps the names"},
      {.name = "bin",
       .field = number(&RecipeOptions::bins, whole_from(0)),
       .metavar = "N",
       .help = "Replace real values by indicators of N quantile bins; 0 keeps the values"},
      {.name = "word-ngrams",
       .field = number_by<RecipeOptions>(of_text(&TextOptions::word_ngrams), whole_from(0)),
       .metavar = "N",
       .help = "Text columns: use words and sequences of up to N words as features"},
      {.name = "char-ngrams",
       .field = number_by<RecipeOptions>(of_text(&TextOptions::char_ngrams), whole_from(0)),
       .metavar = "N",
       .help = "Text columns: use sequences of up to N characters of a word; 0 for none"},
      {.name = "lower-case",
       .field = flag(of_text(&TextOptions::lower_case)),
       .help = "Text columns: distinguish upper and lower case"},
      {.name = "text-weights",
       .field = text_weights_field(),
       .help = "Text columns: weight of a word by how often it occurs in the text, and for "
               "tfidf also by how rare it is in the training rows"},
      {.name = "bias",
       .field = flag(&RecipeOptions::bias),
       .help = "Do not add a bias feature to every row"},
  };
}

std::vector<Option<RecipeOptions>> column_entries() {
  const auto one = [](std::optional<std::string> ColumnNames::*member) {
    return any_text(
        [member](auto& options) -> auto& { return options.column_names.*member; },
        "the name of a column");
  };
  return {
      {.name = "label-column",
       .field = one(&ColumnNames::label),
       .metavar = "NAME",
       .help = "Column with the label (default: label)"},
      {.name = "text-column",
       .field = several_names(&ColumnNames::text),
       .metavar = "NAME",
       .help = "Column with the text (default: text); repeatable, texts are joined by a "
               "space"},
      {.name = "group-column",
       .field = one(&ColumnNames::group),
       .metavar = "NAME",
       .help = "Column with the document or author; folds never split it (default: group "
               "or doc)"},
      {.name = "id-column",
       .field = one(&ColumnNames::id),
       .metavar = "NAME",
       .help = "Column with the name of the row in predictions (default: id)"},
      {.name = "weight-column",
       .field = one(&ColumnNames::weight),
       .metavar = "NAME",
       .help = "Column with the weight of the row (default: weight)"},
      {.name = "domain-column",
       .field = one(&ColumnNames::domain),
       .metavar = "NAME",
       .help = "Column with the domain of the row (default: domain)",
       .common = true},
      {.name = std::string(corpus::kNumberColumns),
       .field = listed_names(&ColumnNames::numbers),
       .metavar = "NAMES",
       .help = "Columns with numbers to use as features, scaled by mean and deviation; "
               "repeatable, or separated by commas"},
      {.name = std::string(corpus::kCategoryColumns),
       .field = listed_names(&ColumnNames::categories),
       .metavar = "NAMES",
       .help = "Columns whose values are features NAME=VALUE; repeatable, or separated by "
               "commas"},
  };
}

std::vector<Option<RecipeOptions>> task_entries() {
  return {
      {.name = "task",
       .field = name_among(&RecipeOptions::task, task_names()),
       .help = "Read sentences and extract the features of this task; without it the input "
               "is rows of text or of features",
       .common = true},
      {.name = "features",
       .field = any_text(&RecipeOptions::features, "a file"),
       .metavar = "FILE",
       .help = "Feature templates to use instead of the task's own (docs/templates.md)"},
      {.name = "gazetteer",
       .field = gazetteer_field(),
       .metavar = "NAME=FILE",
       .help = "List of names, one per line, that templates can refer to; repeatable"},
      {.name = "columns",
       .field = any_text(&RecipeOptions::columns, "a list of columns"),
       .metavar = "LIST",
       .help = "Contents of the columns of CoNLL files, such as token,pos,tag or "
               "token=FORM,tag=UPOS"},
      {.name = "scheme",
       .field = name_among(&RecipeOptions::scheme, {"none", "iob2", "iobes"}),
       .help = "Tagging scheme: which tag may follow which (default: found from the tags)"},
      {.name = "language",
       .field = any_text(&RecipeOptions::language, "a language"),
       .metavar = "NAME",
       .help = "Language of the word stemmer (Snowball), or none"},
      {.name = "skip-bad-lines",
       .field = flag(&RecipeOptions::skip_bad),
       .help = "Skip sentences that cannot be used, and report how many"},
  };
}

Field vector_classes_field() {
  return field_of<RecipeOptions>(
      [](auto& options) -> auto& { return options.vector_classes; },
      [](std::string_view name, std::string_view text) {
        return fmt::format("{}", fmt::join(words::parse_sizes(name, text), ","));
      },
      [](const std::string& text) { return text; }, "str",
      fmt::format("numbers such as {}", words::kUsualSizes));
}

std::vector<Option<RecipeOptions>> word_entries() {
  return {
      {.name = "word-classes",
       .field = any_text(&RecipeOptions::word_classes, "a file"),
       .metavar = "FILE",
       .help = "Use the word classes of this table as features of sentences or text; "
               "'megadapt words cluster' makes such a table (docs/words.md)"},
      {.name = "word-vectors",
       .field = any_text(&RecipeOptions::word_vectors, "a file"),
       .metavar = "FILE",
       .help = "Group the words of this table of vectors (word2vec, GloVe, fastText) into "
               "classes, and use these as features; the model stores them"},
      {.name = "vector-classes",
       .field = vector_classes_field(),
       .metavar = "LIST",
       .help = "How many classes the words of --word-vectors are grouped into"},
  };
}

// The label must not be among the features. Only `id` and `group` may be the same column.
void check_columns(const ColumnNames& columns) {
  std::map<std::string, std::string_view> option_of;
  for (const auto& [option, name] : corpus::named_columns(columns)) {
    if (option == "id-column" || option == "group-column") continue;
    const auto [other, is_new] = option_of.emplace(name, option);
    if (is_new) continue;
    throw UsageError(fmt::format("the column '{}' is named by both --{} and --{}", name,
                                 other->second, option),
                     "name it once");
  }
}

std::string whole_file(const std::string& path) {
  return std::string(MappedFile(path).text());
}

}  // namespace

const OptionTable<RecipeOptions>& recipe_table() {
  static const OptionTable<RecipeOptions> table({{kInput, input_entries()},
                                                 {kColumns, column_entries()},
                                                 {kTask, task_entries()},
                                                 {kWords, word_entries()}});
  return table;
}

void refuse_row_columns(const ColumnNames& columns) {
  const auto chosen = corpus::named_columns(columns);
  if (chosen.empty()) return;
  throw UsageError(fmt::format("--{} names a column of rows, not of a task's sentences",
                               chosen[0].first),
                   chosen[0].first == "domain-column"
                       ? "put each domain into its own file: --domain NAME=FILE"
                       : "say what the columns of sentences hold: --columns token,tag");
}

Format row_format(const std::string& name) {
  if (name == "conll" || name == "conllu" || name == "prose") {
    throw UsageError(fmt::format("--format {} is a format of sentences", name),
                     "say what to do with them: --task pos, mention or recap");
  }
  return parse_format(name);
}

WordClasses word_classes_for(const RecipeOptions& options, int threads) {
  if (options.word_classes && options.word_vectors) {
    throw UsageError("--word-classes and --word-vectors both give classes of words",
                     "leave out one of them");
  }
  if (options.word_classes) return read_word_classes(*options.word_classes);
  if (!options.word_vectors) return {};
  const auto sizes = words::parse_sizes("vector-classes", options.vector_classes);
  return words::classes_of_vectors(*options.word_vectors, sizes, Execution(threads));
}

TaskOptions make_task(const RecipeOptions& options, int threads) {
  check_task(*options.task);
  TaskOptions task;
  task.task = *options.task;
  if (options.format) task.format = parse_sentence_format(*options.format);
  if (options.columns) task.columns = ColumnChoice::parse(*options.columns);
  if (options.features) {
    task.features = whole_file(*options.features);
    task.features_name = *options.features;
  }
  task.classes = word_classes_for(options, threads);
  task.scheme = options.scheme.value_or("");
  task.language = options.language;
  for (const std::string& text : options.gazetteers) {
    const std::size_t equals = text.find('=');
    task.gazetteers.push_back(
        {text.substr(0, equals), whole_file(text.substr(equals + 1))});
  }
  return task;
}

namespace {

// Categories and word classes both give features `NAME=VALUE`, so their names must differ.
void refuse_common_names(const WordClasses& classes, const ColumnNames& columns) {
  for (const std::string& name : classes.columns()) {
    if (std::ranges::find(columns.categories, name) == columns.categories.end()) continue;
    throw UsageError(
        fmt::format("'{}' is a column of categories and a column of word classes", name),
        "give one of them another name");
  }
}

}  // namespace

Recipe make_recipe(const RecipeOptions& options, int threads) {
  recipe_table().check(options);
  if (options.bins > 0 && options.text.weights == TextWeights::tfidf) {
    throw UsageError("--bin replaces the weights that --text-weights tfidf gives",
                     "leave out one of them");
  }
  check_columns(options.column_names);
  Recipe recipe{.text = options.text,
                .columns = options.column_names,
                .bias = options.bias,
                .min_count = options.min_count,
                .bins = options.bins};
  if (!options.task) {
    recipe.text.classes = word_classes_for(options, threads);
    refuse_common_names(recipe.text.classes, recipe.columns);
    if (options.format) recipe.format = row_format(*options.format);
    if (!options.map_labels) return recipe;
    recipe.label_map = LabelMap::read(*options.map_labels).rules();
    recipe.label_map_file = *options.map_labels;
    return recipe;
  }
  if (options.map_labels) {
    throw UsageError("--map-labels renames labels of rows, not tags of a task",
                     "rename the tags in the file, or leave out --map-labels");
  }
  refuse_row_columns(options.column_names);
  if (options.text.hash_bits > 0) {
    throw UsageError("--hash-bits hashes ready-made features, not those of a task",
                     "leave it out; --min-count makes the vocabulary smaller");
  }
  recipe.task = make_task(options, threads);
  return recipe;
}

std::vector<std::pair<std::string, std::string>> recorded_recipe(
    const RecipeOptions& options) {
  std::vector<std::string> names;
  for (const auto& option : recipe_table()) {
    const bool of_values = option.name == "bin" || option.name == "word-ngrams" ||
                           option.name == "char-ngrams" || option.name == "lower-case" ||
                           option.name == "text-weights";
    if (option.name == "vector-classes" && !options.word_vectors) continue;
    const bool matters =
        option.group == kTask ? options.task.has_value() : !(options.task && of_values);
    if (matters) names.push_back(option.name);
  }
  return recipe_table().record(options, names);
}

}  // namespace megadapt
