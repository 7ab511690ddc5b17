// Checks every option of the table that says how input becomes rows.
#include "dataset/recipe_options.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

namespace megadapt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

std::string written_file(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/recipe-options-" + name;
  std::ofstream(path) << text;
  return path;
}

/// For every option, a value other than its default.
std::map<std::string, std::string> other_recipe_values() {
  return {{"format", "jsonl"},
          {"map-labels", written_file("map.txt", "a\tb\n")},
          {"min-count", "2"},
          {"hash-bits", "7"},
          {"bin", "3"},
          {"word-ngrams", "2"},
          {"char-ngrams", "4"},
          {"label-column", "stars"},
          {"text-column", "review"},
          {"group-column", "user"},
          {"id-column", "number"},
          {"weight-column", "votes"},
          {"domain-column", "shop"},
          {"number-columns", "price"},
          {"category-columns", "color"},
          {"text-weights", "tfidf"},
          {"lower-case", "false"},
          {"bias", "false"},
          {"task", "mention"},
          {"features", written_file("features.txt", "w lower\n")},
          {"gazetteer", "cities=" + written_file("cities.txt", "Rome\n")},
          {"word-classes", written_file("classes.tsv", "Rome\tplace\n")},
          {"word-vectors", written_file("vectors.txt", "a 1 0\nb 0 1\nc 1 1\n")},
          {"vector-classes", "2,3"},
          {"columns", "token,tag"},
          {"scheme", "iob2"},
          {"language", "none"},
          {"skip-bad-lines", "true"}};
}

TEST(RecipeTable, EveryValueSurvivesARoundTripAndIsRecorded) {
  const auto values = other_recipe_values();
  for (const auto& option : recipe_table()) {
    SCOPED_TRACE(option.name);
    ASSERT_TRUE(values.contains(option.name)) << "give it a value in this test";
    RecipeOptions options;
    if (option.group == "Task") options.task = "pos";
    if (option.name == "word-vectors") options.vector_classes = "2";
    if (option.name == "vector-classes") {
      options.word_vectors = values.at("word-vectors");
      options.vector_classes = "2";
    }
    const RecipeOptions before = options;
    recipe_table().set(options, option.name, values.at(option.name));
    EXPECT_FALSE(options == before);
    RecipeOptions again = before;
    for (const std::string& text : option.field.print(options)) {
      if (!option.field.repeats) recipe_table().set(again, option.name, text);
    }
    if (!option.field.repeats) {
      EXPECT_EQ(again, options);
    }
    EXPECT_THAT(recorded_recipe(options),
                Contains(Pair(option.name, values.at(option.name))));
    // Not part of the recipe: skipping bad sentences changes which rows there are.
    if (option.name == "skip-bad-lines") continue;
    EXPECT_NE(make_recipe(options).digest(), make_recipe(before).digest());
  }
}

TEST(RecipeTable, BadValuesAreRefusedByName) {
  const auto error = [](const std::string& name, const std::string& value) -> std::string {
    RecipeOptions options;
    try {
      recipe_table().set(options, name, value);
    } catch (const UsageError& refused) {
      return refused.what();
    }
    return {};
  };
  EXPECT_THAT(error("min-count", "0"), HasSubstr("--min-count: '0' is not"));
  EXPECT_THAT(error("hash-bits", "99"), HasSubstr("--hash-bits: '99' is not"));
  EXPECT_THAT(error("format", "csvv"), HasSubstr("did you mean 'csv'?"));
  EXPECT_THAT(error("task", "po"), HasSubstr("did you mean 'pos'?"));
  EXPECT_THAT(error("gazetteer", "cities"), HasSubstr("NAME=FILE"));
  EXPECT_THAT(error("language", ""), HasSubstr("--language"));
}

TEST(RecipeTable, WhatContradictsATaskIsRefused) {
  RecipeOptions options;
  options.task = "pos";
  options.text.hash_bits = 8;
  EXPECT_THROW(make_recipe(options), UsageError);
  options.text.hash_bits = 0;
  options.map_labels = "map.txt";
  EXPECT_THROW(make_recipe(options), UsageError);
  RecipeOptions rows;
  rows.format = "conll";
  EXPECT_THROW(make_recipe(rows), UsageError);
}

TEST(RecipeTable, AColumnHasOneMeaning) {
  const auto error = [](const ColumnNames& columns) -> std::string {
    try {
      make_recipe({.column_names = columns});
    } catch (const UsageError& refused) {
      return refused.what();
    }
    return {};
  };
  EXPECT_THAT(error({.label = "x", .text = {"x"}}),
              HasSubstr("'x' is named by both --label-column and --text-column"));
  EXPECT_THAT(error({.text = {"x", "x"}}), HasSubstr("--text-column and --text-column"));
  EXPECT_EQ(error({.group = "x", .id = "x"}), "");
}

TEST(RecipeTable, ATaskHasNoColumnsOfRows) {
  try {
    make_recipe({.column_names = {.text = {"review"}}, .task = "pos"});
    FAIL();
  } catch (const UsageError& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("--text-column names a column of rows"));
  }
}

}  // namespace
}  // namespace megadapt
