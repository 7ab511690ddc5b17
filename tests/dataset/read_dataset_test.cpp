#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "dataset/row_encoder.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing::SizeIs;
using testing::UnorderedElementsAre;

class ReadDatasetTest : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

std::vector<std::string> feature_names(const Dataset& data, std::size_t row) {
  std::vector<std::string> names;
  for (const std::uint32_t f : data.rows[row].features)
    names.emplace_back(data.features().name(f));
  return names;
}

TEST_F(ReadDatasetTest, JoinsDomainsOverOneVocabulary) {
  const Dataset data = read_dataset({{"out", file("a", "yes x y\nno y\n")},
                                     {"in", file("b", "no z y\n")},
                                     {"out", file("c", "yes x\n")}});
  EXPECT_EQ(data.num_examples(), 4u);
  EXPECT_THAT(data.domains().names(), ElementsAre("out", "in"));
  EXPECT_THAT(data.domain, ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(data.label, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(data.features().names(), ElementsAre("", "x", "y", "z"));
  EXPECT_THAT(feature_names(data, 2), ElementsAre("", "z", "y"));
  EXPECT_THAT(data.rows_of(0), ElementsAre(0, 1, 3));
  EXPECT_EQ(data.sources[1].rows, 1u);
  EXPECT_EQ(data.sources[1].sha256.size(), 64u);
  EXPECT_TRUE(data.rows.value.empty());
}

TEST_F(ReadDatasetTest, ANameWithoutRowsIsNoDomain) {
  const std::string table = file("all.csv",
                                 "label,text,domain\n"
                                 "a,one,cli\n"
                                 "b,two,gui\n"
                                 "a,two,\n");
  const Dataset some = read_dataset({{"all", table}});
  EXPECT_THAT(some.domains().names(), ElementsAre("all", "cli", "gui"));
  EXPECT_THAT(some.domain, ElementsAre(1, 2, 0));
  const std::string full = file("full.csv", "label,text,domain\na,one,cli\nb,two,gui\n");
  const Dataset none = read_dataset(
      {{"first", file("a", "a x\n")}, {"all", full}, {"gui", file("b", "b y\n")}});
  EXPECT_THAT(none.domains().names(), ElementsAre("first", "gui", "cli"));
  EXPECT_THAT(none.domain, ElementsAre(0, 2, 1, 1));
}

TEST_F(ReadDatasetTest, DomainsOfAColumnWithAnotherName) {
  const std::string table = file("all.csv", "label,text,shop\na,one,cli\nb,two,gui\n");
  const Dataset data = read_dataset({{"all", table}}, {.columns = {.domain = "shop"}});
  EXPECT_THAT(data.domains().names(), ElementsAre("cli", "gui"));
  EXPECT_THAT(read_dataset({{"all", table}}).domains().names(), ElementsAre("all"));
  EXPECT_THROW(read_dataset({{"all", table}}, {.columns = {.domain = "shops"}}),
               InputError);
}

TEST_F(ReadDatasetTest, LeavesTheBiasOutWhenAsked) {
  const Dataset data = read_dataset({{"d", file("a", "yes x\nno y\n")}}, {.bias = false});
  EXPECT_EQ(data.bias(), kNone);
  EXPECT_THAT(feature_names(data, 0), ElementsAre("x"));
}

TEST_F(ReadDatasetTest, CountsARepeatedFeatureOnce) {
  const Dataset data =
      read_dataset({{"d", file("a", "yes x y x\nno y\n")}}, {.bias = false});
  EXPECT_THAT(feature_names(data, 0), ElementsAre("x", "y"));
}

TEST_F(ReadDatasetTest, AddsUpRepeatedValues) {
  Recipe options{.bias = false};
  options.format = Format::megam_fvals;
  const Dataset data =
      read_dataset({{"d", file("a", "yes x 1 y 2.5 x 0.5\nno y 1\n")}}, options);
  EXPECT_THAT(feature_names(data, 0), ElementsAre("x", "y"));
  EXPECT_THAT(data.rows.value, ElementsAre(1.5f, 2.5f, 1.0f));
}

TEST_F(ReadDatasetTest, KnowsWhetherRowsAreMadeOfText) {
  EXPECT_EQ(read_dataset({{"d", file("a", "yes x\nno y\n")}}).recipe->from_text, false);
  EXPECT_EQ(read_dataset({{"d", file("a", "label,text\nyes,x\n")}}).recipe->from_text,
            true);
}

// idf(x) = 1 + ln 3/3 = 1, idf(y) = 1 + ln 3/2; the mean over x, x and y is m.
TEST_F(ReadDatasetTest, TfidfWeighsRareWordsMoreAndTestRowsLikewise) {
  const Recipe recipe{.text = {.weights = TextWeights::tfidf}};
  const Dataset data =
      read_dataset({{"d", file("a", "label,text\nyes,x x y\nno,x\n")}}, recipe);
  const double idf = 1 + std::log(1.5);
  const double m = (2 + idf) / 3;
  EXPECT_THAT(data.rows.value,
              Pointwise(FloatNear(1e-6F),
                        std::vector<float>{1, static_cast<float>((1 + std::log(2)) / m),
                                           static_cast<float>(idf / m), 1,
                                           static_cast<float>(1 / m)}));
  const Dataset test = read_test_rows(file("t", "label,text\nyes,x x y new\n"), data, 0);
  const auto first = data.rows[0], same = test.rows[0];
  EXPECT_THAT(same.values, SizeIs(3));
  EXPECT_THAT(std::vector(same.values.begin(), same.values.begin() + 2),
              UnorderedElementsAre(first.values[1], first.values[2]));
}

// The mean of 1 and 5 is 3, their deviation 2. A row without a number has no feature.
TEST_F(ReadDatasetTest, ScalesNumbersByMeanAndDeviation) {
  const Recipe recipe{.columns = {.numbers = {"price"}, .categories = {"color"}},
                      .bias = false};
  const Dataset data = read_dataset(
      {{"d", file("a", "label,price,color\nyes,1,red\nno,5,blue\nno,,blue\n")}}, recipe);
  EXPECT_THAT(feature_names(data, 0), ElementsAre("price=(number)", "color=red"));
  EXPECT_THAT(data.rows.value, ElementsAre(-1, 1, 1, 1, 1));
  const Dataset test = read_test_rows(file("t", "label,price,color\nno,9,red\n"), data, 0);
  EXPECT_THAT(test.rows.value, ElementsAre(3, 1));
}

TEST_F(ReadDatasetTest, ARowsOwnDomainGoesFirst) {
  const Dataset data = read_dataset(
      {{"d", file("a", R"({"label":"a","features":["x"],"domain":"e","group":"g1"}
{"label":"b","features":["y"]}
)")}});
  EXPECT_THAT(data.domains().names(), ElementsAre("d", "e"));
  EXPECT_THAT(data.domain, ElementsAre(1, 0));
  EXPECT_THAT(data.group, ElementsAre(0, kNone));
}

TEST_F(ReadDatasetTest, DropsRareFeaturesButNotTheBias) {
  const Dataset data =
      read_dataset({{"d", file("a", "yes x y\nno y z\n")}}, {.min_count = 2});
  EXPECT_THAT(data.features().names(), ElementsAre("", "y"));
  EXPECT_THAT(feature_names(data, 1), ElementsAre("", "y"));
}

TEST_F(ReadDatasetTest, BinsValuesIntoQuantilesAndEncodesNewRowsAlike) {
  Recipe options{.bins = 2};
  options.format = Format::megam_fvals;
  const Dataset data = read_dataset(
      {{"d", file("a", "a age 1 on 1\nb age 2 on 1\na age 3 on 1\nb age 10\n")}}, options);
  EXPECT_TRUE(data.rows.value.empty());
  EXPECT_THAT(feature_names(data, 0), ElementsAre("", "age[1/2]", "on"));
  EXPECT_THAT(feature_names(data, 1), ElementsAre("", "age[1/2]", "on"));
  EXPECT_THAT(feature_names(data, 3), ElementsAre("", "age[2/2]"));

  RowEncoder encoder(data.features().view(), &data.binning());
  Row row;
  row.has_values = true;
  row.features = {{"age", 7}, {"on", 1}, {"new", 1}};
  const RowView view = encoder.encode(row);
  EXPECT_THAT(view.features, ElementsAre(data.features().find("age[2/2]"),
                                         data.features().find("on"), data.bias()));
  EXPECT_TRUE(view.values.empty());
  EXPECT_EQ(encoder.unseen(), 1u);
}

TEST_F(ReadDatasetTest, EncodesAsItReads) {
  Recipe options;
  options.format = Format::megam_fvals;
  const Dataset data = read_dataset({{"d", file("a", "a x 1 y 2\nb y 3 x 1\n")}}, options);
  RowEncoder encoder(data.features().view());
  Row row;
  row.has_values = true;
  row.features = {{"y", 1}, {"x", 1}, {"y", 2}};
  const RowView view = encoder.encode(row);
  EXPECT_THAT(view.features, ElementsAre(data.features().find("y"),
                                         data.features().find("x"), data.bias()));
  EXPECT_THAT(view.values, ElementsAre(3, 1, 1));
}

TEST_F(ReadDatasetTest, RefusesOneFileTwiceUnderAnyName) {
  const std::string path = file("a", "yes x\nno y\n");
  const std::string other = (folder_ / "." / "a").string();
  try {
    read_dataset({{"out", path}, {"in", other}});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("given twice"));
  }
}

}  // namespace
}  // namespace megadapt
