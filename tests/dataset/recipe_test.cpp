#include <gmock/gmock.h>

#include "dataset/recipe_text.hpp"
#include "dataset/task_files.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

Recipe full_recipe() {
  Recipe recipe{.format = Format::csv,
                .text = {2, 3, false, 20, 1, TextWeights::tfidf},
                .columns = {.label = "stars",
                            .text = {"title", "body"},
                            .group = "user",
                            .id = "number",
                            .weight = "votes",
                            .domain = "shop",
                            .numbers = {"price"},
                            .categories = {"color"}},
                .bias = false,
                .min_count = 4,
                .bins = 5,
                .label_map = {{"", "old", "new", 1}, {"news", "bad", "", 3}},
                .label_map_file = "labels.tsv",
                .from_text = true,
                .task = TaskOptions{.task = "mention",
                                    .format = SentenceFormat::conll,
                                    .columns = ColumnChoice::parse("token,pos,tag"),
                                    .features = "w tag[-1]",
                                    .features_name = "mine.txt",
                                    .scheme = "iob2",
                                    .language = "none",
                                    .gazetteers = {{"cities", "Paris\nNew York\n"}}},
                .mixed_forms = {{"mccain", "McCain"}}};
  return recipe;
}

TEST(RecipeText, ARoundTripKeepsEverything) {
  EXPECT_EQ(recipe_from_text(to_text(full_recipe())), full_recipe());
  EXPECT_EQ(recipe_from_text(to_text(Recipe{})), Recipe{});
}

TEST(RecipeText, DamageIsAModelFileError) {
  EXPECT_THROW(recipe_from_text("{}"), ModelFileError);
  EXPECT_THROW(recipe_from_text("no JSON"), ModelFileError);
  std::string text = to_text(full_recipe());
  text.replace(text.find("\"csv\""), 5, "\"odd\"");
  EXPECT_THROW(recipe_from_text(text), ModelFileError);
}

TEST(RecipeText, ModelsOfVersion01KeepTheirRulesOfWords) {
  std::string text = to_text(Recipe{});
  const std::string rules = ",\"word_rules\":2";
  const std::string weights = ",\"weights\":\"binary\"";
  for (const std::string& added : {rules, weights}) {
    ASSERT_NE(text.find(added), text.npos) << text;
    text.erase(text.find(added), added.size());
  }
  EXPECT_EQ(recipe_from_text(text).text.word_rules, 1);
  EXPECT_EQ(recipe_from_text(text).text.weights, TextWeights::binary);
}

TEST(RecipeDigest, CoversWhatChangesRowsAndNothingElse) {
  const auto changed = [](auto change) {
    Recipe recipe = full_recipe();
    change(recipe);
    return recipe.digest() != full_recipe().digest();
  };
  EXPECT_TRUE(changed([](Recipe& r) { r.text.word_ngrams = 1; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.text.word_rules = 2; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.text.weights = TextWeights::counts; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.columns.numbers.clear(); }));
  EXPECT_TRUE(changed([](Recipe& r) { r.columns.categories.clear(); }));
  EXPECT_TRUE(changed([](Recipe& r) { r.columns.domain.reset(); }));
  EXPECT_TRUE(changed([](Recipe& r) { r.columns.text.pop_back(); }));
  EXPECT_TRUE(changed([](Recipe& r) { r.min_count = 1; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.label_map[0].name = "other"; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.task->scheme = "none"; }));
  EXPECT_TRUE(changed([](Recipe& r) { r.task->gazetteers.clear(); }));
  EXPECT_FALSE(changed([](Recipe& r) { r.label_map_file = "moved.tsv"; }));
  EXPECT_FALSE(changed([](Recipe& r) { r.task->features_name = "moved.txt"; }));
}

TEST_F(TaskFiles, TheRecipeOfATaskSaysWhatWasFound) {
  const std::string iob2 = file("a", "a\tB\nb\tI\n\nc\tO\n\n");
  const std::string iob1 = file("b", "a\tI\nb\tI\nc\tB\n\nc\tO\n\n");
  const auto scheme_of = [](const std::string& path, const std::string& asked) {
    const Dataset data = read_dataset(
        {{"d", path}}, {.task = TaskOptions{.task = "mention", .scheme = asked}});
    EXPECT_EQ(data.recipe->task->scheme, scheme_name(data.schema->scheme));
    EXPECT_FALSE(data.recipe->task->features.empty());
    return data.schema->scheme;
  };
  EXPECT_EQ(scheme_of(iob2, ""), TagScheme::iob2);
  EXPECT_EQ(scheme_of(iob1, ""), TagScheme::none);
  EXPECT_EQ(scheme_of(iob1, "iob2"), TagScheme::iob2);
  EXPECT_EQ(scheme_of(iob2, "none"), TagScheme::none);
}

TEST_F(TaskFiles, TestRowsAreReadByTheRecipeOfTheTraining) {
  const Dataset train = read_dataset(
      {{"d", file("a", "old x 1 y 2\nb y 3 x 1\n")}},
      {.format = Format::megam_fvals, .bins = 2, .label_map = {{"", "old", "new", 1}}});
  const Dataset test = read_test_rows(file("t", "old x 1 y 2\nz y 9\n"), train, 0);
  EXPECT_EQ(test.schema, train.schema);
  EXPECT_EQ(test.recipe, train.recipe);
  EXPECT_EQ(test.label_name(test.label[0]), "new");
  EXPECT_EQ(test.label_name(test.label[1]), "z");
  EXPECT_EQ(test.label[1], train.num_labels());
  EXPECT_THAT(names_of(test, 1), testing::UnorderedElementsAre("", "y[2/2]"));
}

TEST_F(TaskFiles, TextsOfOneDomainAreKeptOnDemand) {
  const std::string a = file("a", "the\tB\nold\tI\n\n");
  const std::string b = file("b", "he\tB\nspoke\tO\n\n");
  const Recipe recipe{.task = TaskOptions{.task = "mention"}};
  const std::vector<DomainFile> files{{"a", a}, {"b", b}};
  EXPECT_THAT(read_dataset(files, recipe).text, testing::IsEmpty());
  const Dataset data = read_dataset(files, recipe, {.texts_of = "b"});
  EXPECT_THAT(data.text, testing::ElementsAre("", "", "[he] spoke", "he [spoke]"));
  EXPECT_THAT(read_test_rows(a, data, 0, {.texts_of = ""}).text,
              testing::ElementsAre("[the] old", "the [old]"));
}

}  // namespace
}  // namespace megadapt
