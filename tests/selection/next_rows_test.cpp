// A batch is chosen from a file or from a program, and written in a form that is read back.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "megadapt/selection.hpp"
#include "megadapt/systems.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;

std::string next_file(const std::string& name, const std::string& text) {
  const std::string path =
      testing::TempDir() + "/next-" + std::to_string(getpid()) + "-" + name;
  std::ofstream(path) << text;
  return path;
}

Recipe shop_recipe() {
  Recipe recipe;
  recipe.columns.label = "stars";
  recipe.columns.text = {"title", "body"};
  recipe.columns.numbers = {"price"};
  recipe.columns.categories = {"color"};
  return recipe;
}

Model shop_model() {
  const std::string csv = next_file("shop.csv",
                                    "stars,title,body,price,color\n"
                                    "good,nice,great pan,3,red\n"
                                    "good,fine,great knife,4,blue\n"
                                    "bad,poor,broken pan,9,red\n"
                                    "bad,dull,broken lid,8,red\n");
  return train_model(read_dataset({{"shop", csv}}, shop_recipe()), "mix", "shop", {}, {},
                     {Execution(1)});
}

const char* const kNewRows =
    "id,title,body,price,color\n"
    "r1,nice,great pan,3,red\n"
    "r2,odd,\"great, but \"\"broken\"\" pan\",6,blue\n"
    "r3,poor,broken lid,9,red\n"
    "r4,odd,\"great, but \"\"broken\"\" pan\",6,blue\n";

TEST(NextRows, TheUnsureRowComesFirstAndItsCopyDoesNotCome) {
  const Classifier classifier(shop_model());
  const NextBatch batch =
      next_rows(classifier, next_file("new.csv", kNewRows), {}, 10, Execution(1));
  EXPECT_EQ(batch.rows, 4u);
  ASSERT_EQ(batch.chosen.size(), 3u) << "copies are chosen once";
  EXPECT_EQ(batch.chosen[0].row, 2u);
  EXPECT_EQ(batch.chosen[0].id, "r2");
  EXPECT_THAT(batch.chosen[0].reasons[0], HasSubstr("unsure: "));
  EXPECT_EQ(batch.chosen[0].reasons.back(), "like 1 other row");
  EXPECT_GT(batch.chosen[0].score, batch.chosen[1].score);
}

// Returns the batch with its labels filled in, read as training reads it.
Dataset read_back(const std::string& text, const std::string& name, const Recipe& recipe) {
  return read_dataset({{"shop", next_file(name, text)}}, recipe);
}

std::set<std::string> named_features(const Dataset& data, std::size_t row) {
  std::set<std::string> names;
  for (const std::uint32_t f : data.rows[row].features) {
    names.emplace(data.features().name(f));
  }
  return names;
}

TEST(NextRows, BothFormsAreReadAsTheOriginalRows) {
  const Classifier classifier(shop_model());
  const NextBatch batch =
      next_rows(classifier, next_file("new.csv", kNewRows), {}, 2, Execution(1));
  Recipe recipe = shop_recipe();
  std::string labelled = kNewRows;  // a column of labels, for training
  labelled.replace(0, 2, "stars,id");
  for (int r = 1; r <= 4; ++r) {
    labelled.replace(labelled.find("\nr" + std::to_string(r)) + 1, 0, "good,");
  }
  const Dataset original = read_back(labelled, "labelled.csv", recipe);

  std::string csv = next_lines(batch, recipe, NextForm::csv);
  EXPECT_THAT(csv,
              testing::StartsWith("stars,title,body,price,color,id,group,domain,row,"));
  for (std::size_t at = csv.find('\n'); at + 1 < csv.size(); at = csv.find('\n', at + 1)) {
    csv.replace(at + 1, 0, "good");
  }
  std::string json;
  for (std::string lines = next_lines(batch, recipe, NextForm::jsonl); !lines.empty();) {
    const std::size_t end = lines.find('\n');
    auto object = nlohmann::json::parse(lines.substr(0, end));
    EXPECT_TRUE(object.at("stars").is_null());
    object["stars"] = "good";
    json += object.dump() + "\n";
    lines.erase(0, end + 1);
  }
  for (const auto& [name, text] : {std::pair{"b.csv", csv}, std::pair{"b.jsonl", json}}) {
    const Dataset data = read_back(text, name, recipe);
    ASSERT_EQ(data.num_examples(), 2u) << name;
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(named_features(data, i), named_features(original, batch.chosen[i].row - 1))
          << name;
    }
  }
}

TEST(NextRows, ExamplesGiveTheSameBatchAsAFile) {
  const Classifier classifier(shop_model());
  const std::string path = next_file("new.csv", kNewRows);
  const NextBatch from_file = next_rows(classifier, path, {}, 3, Execution(3));
  std::vector<Example> examples;
  for (const auto& [title, body, price, color] :
       {std::array{"nice", "great pan", "3", "red"},
        std::array{"odd", "great, but \"broken\" pan", "6", "blue"},
        std::array{"poor", "broken lid", "9", "red"},
        std::array{"odd", "great, but \"broken\" pan", "6", "blue"}}) {
    Example example;
    example.columns = {
        {"title", title}, {"body", body}, {"price", price}, {"color", color}};
    examples.push_back(std::move(example));
  }
  const NextBatch from_program = next_rows(classifier, examples, 3, Execution(1));
  ASSERT_EQ(from_program.chosen.size(), from_file.chosen.size());
  for (std::size_t i = 0; i < from_file.chosen.size(); ++i) {
    EXPECT_EQ(from_program.chosen[i].row, from_file.chosen[i].row);
    EXPECT_EQ(from_program.chosen[i].score, from_file.chosen[i].score);
    EXPECT_EQ(from_program.chosen[i].reasons, from_file.chosen[i].reasons);
  }
}

TEST(NextRows, FeatureRowsKeepTheirFeatures) {
  const std::string path = next_file("f.txt", "a x 1 y 2.5\nb x 3 z 1\n");
  const Recipe recipe{.format = Format::megam_fvals};
  const Classifier classifier(
      train_model(read_dataset({{"d", path}}, recipe), "mix", "d", {}, {}, {Execution(1)}));
  const std::string rows = next_file("new.txt", "x 1 y 2\nz 4 new 1\n");
  const NextBatch batch =
      next_rows(classifier, rows, {.format = "megam-fvals"}, 5, Execution(1));
  ASSERT_EQ(batch.chosen.size(), 2u);
  EXPECT_THROW(next_lines(batch, recipe, NextForm::csv), UsageError);
  const std::string lines = next_lines(batch, recipe, NextForm::jsonl);
  EXPECT_THAT(lines, HasSubstr(R"("features":{"x":1.0,"y":2.0})"));
  EXPECT_THAT(lines, HasSubstr(R"("features":{"z":4.0,"new":1.0})"));
}

Model pos_model() {
  const std::string path =
      next_file("pos.conll",
                "the\tDET\ndog\tNOUN\nruns\tVERB\n\na\tDET\ncat\tNOUN\nsat\tVERB\n\n"
                "dogs\tNOUN\nrun\tVERB\n\n");
  return train_model(read_dataset({{"news", path}}, {.task = TaskOptions{.task = "pos"}}),
                     "mix", "news", {}, {}, {Execution(1)});
}

TEST(NextSentences, WholeSentencesAreReadBackFromBothForms) {
  const Tagger tagger(pos_model());
  const std::string path =
      next_file("new.txt", "the dog sat\nzebras gnaw quickly\nthe dog sat\n");
  const NextBatch batch = next_sentences(tagger, path, {.format = "text"}, 9, Execution(2));
  ASSERT_EQ(batch.chosen.size(), 2u) << "the same sentence is chosen once";
  EXPECT_EQ(batch.labels, 6u);
  EXPECT_EQ(batch.chosen[0].text, "zebras gnaw quickly");
  EXPECT_THAT(batch.chosen[0].reasons[0], HasSubstr("unsure about '"));

  const Recipe& recipe = *tagger.model().recipe;
  std::string conll = next_lines(batch, recipe, NextForm::conll);
  EXPECT_THROW(read_dataset({{"news", next_file("empty.conll", conll)}},
                            {.task = TaskOptions{.task = "pos"}}),
               InputError)
      << "tags that nobody filled in are refused";
  for (std::size_t at = 0; (at = conll.find("\t\n", at)) != std::string::npos; ++at) {
    conll.replace(at, 2, "\tX\n");
  }
  std::string json = next_lines(batch, recipe, NextForm::jsonl);
  for (std::size_t at = 0; (at = json.find(R"("tags":null)", at)) != std::string::npos;) {
    json.replace(at, 11, R"("tags":["X","X","X"])");
  }
  for (const auto& [name, text] :
       {std::pair{"back.conll", conll}, std::pair{"back.jsonl", json}}) {
    const Dataset data = read_dataset({{"news", next_file(name, text)}},
                                      {.task = TaskOptions{.task = "pos"}});
    EXPECT_EQ(data.num_examples(), 6u) << name;
    EXPECT_EQ(data.sentence_begin.size(), 3u) << name;
  }
  EXPECT_THROW(next_lines(batch, recipe, NextForm::csv), UsageError);
}

TEST(NextSentences, ListsGiveTheSameBatchAsAFile) {
  const Tagger tagger(pos_model());
  const std::string path = next_file("new2.txt", "the dog sat\nzebras gnaw quickly\n");
  const NextBatch from_file =
      next_sentences(tagger, path, {.format = "text"}, 2, Execution(1));
  const std::vector<TokenList> lists{{.tokens = {"the", "dog", "sat"}},
                                     {.tokens = {"zebras", "gnaw", "quickly"}}};
  const NextBatch from_program = next_sentences(tagger, lists, 2, Execution(1));
  ASSERT_EQ(from_program.chosen.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(from_program.chosen[i].row, from_file.chosen[i].row);
    EXPECT_EQ(from_program.chosen[i].score, from_file.chosen[i].score);
  }
}

}  // namespace
}  // namespace megadapt
