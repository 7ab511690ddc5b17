#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Features : public Cli {
 protected:
  void expect_bad(std::vector<std::string> arguments, const std::string& input,
                  const std::string& problem) const {
    arguments.insert(arguments.begin(), "features");
    const CommandResult result = run(arguments, input);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(problem));
  }
};

constexpr const char* kColumns = "# doc = d\n\nThe\tDT\tB\nU.S.\tNNP\tI\nwon\t_\tO\n\n";

TEST_F(Features, OfEveryTask) {
  std::string all;
  for (const char* task : {"pos", "mention", "chunk"}) {
    all += "== " + std::string(task) + "\n" +
           output_of({"features", "--task", task}, kColumns);
  }
  all += "== recap\n" + output_of({"features", "--task", "recap"}, "The U.S. won .\n");
  all += "== mention-type\n" +
         output_of({"features", "--task", "mention-type"},
                   "{\"tokens\":[\"The\",\"head\",\"of\",\"state\"],\"pos\":[\"DT\",\"NN\","
                   "\"IN\",\"NN\"],\"start\":0,\"end\":3,\"label\":\"person\"}\n");
  expect_golden("cli/features.txt", all);
}

TEST_F(Features, HelpIsAsReviewed) {
  expect_golden("cli/help_features.txt", output_of({"features", "--help"}));
}

TEST_F(Features, OfACustomTemplate) {
  write("t", "w pos gaz\n");
  write("places", "u.s.\n");
  EXPECT_EQ(output_of({"features", "--task", "mention", "--features", "t", "--gazetteer",
                       "place=places"},
                      kColumns),
            "The\tw=The pos=DT\nU.S.\tw=U.S. pos=NNP gaz.place=B\nwon\tw=won\n\n");
}

TEST_F(Features, AsJson) {
  write("t", "w tag[-1]|w\n");
  EXPECT_EQ(output_of({"features", "--task", "pos", "--features", "t", "--json"}, "a\tX\n"),
            "{\"token\":\"a\",\"label\":\"X\",\"features\":[\"w=a\",\"tag[-1]|w=?|a\"]}\n");
}

TEST_F(Features, TemplatesAreShown) {
  EXPECT_THAT(output_of({"features", "--task", "recap", "--templates"}),
              HasSubstr("tag[-1] tag[-1]|w"));
}

TEST_F(Features, BadInputNamesThePlace) {
  write("t", "w\nlower[-1] chunk\n");
  expect_bad({"--task", "pos", "--features", "t"}, "a\tX\n", "t:2: column 11: neither");
  expect_bad({"--task", "pos"}, "a\tX\nb\n", "standard input:2: 1 columns");
  expect_bad({"--task", "mention-type"}, "{\"tokens\":[\"a\"],\"start\":0,\"end\":1}\n",
             "\"end\" is 1, outside the sentence of 1 tokens");
  expect_bad({"--task", "pos", "--columns", "token,suf3"}, "a\tX\n", "--columns: 'suf3'");
  expect_bad({"--task", "sop"}, "a\tX\n", "--task");
  expect_bad({"--task", "pos", "--language", "klingon"}, "a\tX\n", "no stemmer");
}

TEST_F(Features, BadSentencesAreSkippedAndCounted) {
  write("t", "w\n");
  const CommandResult result =
      run({"features", "--task", "pos", "--features", "t", "--skip-bad-lines"},
          "a\tX\n\nb\n\n\xff\tX\n\nc\tX\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "a\tw=a\n\nc\tw=c\n\n");
  EXPECT_THAT(result.err, HasSubstr("left out 2 bad sentences"));
}

}  // namespace
}  // namespace megadapt
