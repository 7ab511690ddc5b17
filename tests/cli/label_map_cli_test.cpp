#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class MapLabels : public Cli {
 protected:
  MapLabels() {
    write("calls.txt", calls());
    write("news.txt", "fair\tdry bright\nfair\twarm\nfoul\tdark cold\nfog\twet cold\n");
    write("labels.tsv", "news\tfair\tsun\nnews\tfoul\train\nfog\t-\n");
  }
  CommandResult train(const std::string& map) const {
    return run({"train", "--system", "mix", "-d", "news=news.txt", "-d", "calls=calls.txt",
                "-t", "calls", "--map-labels", map, "-o", "m.mega"});
  }
};

TEST_F(MapLabels, TrainLearnsTheNewNames) {
  ASSERT_EQ(train("labels.tsv").exit_code, 0);
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["labels"], (nlohmann::json{"sun", "rain"}));
  EXPECT_EQ(info["domains"]["news"]["examples"], 3);
  EXPECT_EQ(info["options"]["map-labels"], "labels.tsv");
}

TEST_F(MapLabels, EvalMapsTheTruth) {
  ASSERT_EQ(train("labels.tsv").exit_code, 0);
  const auto result = json_of({"eval", "m.mega", "news.txt", "--json", "--as-domain",
                               "news", "--map-labels", "labels.tsv"});
  EXPECT_EQ(result["examples"], 3);
  EXPECT_EQ(result["accuracy"], 1);
  EXPECT_TRUE(result["unseen_labels"].empty());
}

TEST_F(MapLabels, LabelsThatNeverOccurAreWarnedOf) {
  write("typo.tsv", "news\tfair\tsun\nnews\tfowl\train\nnew\tfog\t-\n");
  const CommandResult result = train("typo.tsv");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(
      result.err,
      HasSubstr("warning: typo.tsv:2: no row of domain 'news' has the label 'fowl'"));
  EXPECT_THAT(result.err,
              HasSubstr("warning: typo.tsv:3: no row of domain 'new' has the label 'fog'"));
  EXPECT_THAT(result.err, Not(HasSubstr("typo.tsv:1")));
}

TEST_F(MapLabels, MistakesExitWithTwo) {
  write("one.tsv", "fair\tsun\nfoul rain\n");
  EXPECT_EQ(train("one.tsv").exit_code, 2);
  EXPECT_THAT(train("one.tsv").err, StartsWith("error: one.tsv:2: 1 field between tabs"));
  EXPECT_EQ(train("none.tsv").exit_code, 2);
  EXPECT_THAT(train("none.tsv").err, StartsWith("error: none.tsv: "));
  write("all.tsv", "fair\t-\nfoul\t-\nfog\t-\nsun\t-\nrain\t-\n");
  EXPECT_EQ(train("all.tsv").exit_code, 2);
  EXPECT_THAT(train("all.tsv").err, HasSubstr("the label map drops every row"));
}

}  // namespace
}  // namespace megadapt
