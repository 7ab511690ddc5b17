#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Convert : public Cli {
 protected:
  std::string converted(const std::string& rows, const std::string& to,
                        std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"convert", "-", "--to", to};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return output_of(arguments, rows);
  }
  void expect_refused(const std::string& rows, const std::string& to,
                      const std::string& problem, const std::string& fix) const {
    const CommandResult result = run({"convert", "-", "--to", to, "-o", "out"}, rows);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(problem));
    EXPECT_THAT(result.err, HasSubstr("\nfix: " + fix));
    EXPECT_TRUE(files().empty());
  }
};

TEST_F(Convert, MegamToJsonLines) {
  EXPECT_EQ(converted("a\tx y\nb\t$$$WEIGHT 2.5 \"z\"\n", "jsonl"),
            "{\"label\":\"a\",\"features\":[\"x\",\"y\"]}\n"
            "{\"label\":\"b\",\"weight\":2.5,\"features\":[\"\\\"z\\\"\"]}\n");
}

TEST_F(Convert, JsonLinesToMegam) {
  EXPECT_EQ(
      converted("{\"label\":\"a\",\"features\":[\"x\",\"y\"],\"weight\":0.5}\n", "megam"),
      "a\t$$$WEIGHT 0.5 x y\n");
  EXPECT_EQ(
      converted("{\"label\":\"a\",\"features\":{\"x\":1.5,\"y\":1}}\n", "megam-fvals"),
      "a\tx 1.5 y 1\n");
}

TEST_F(Convert, LibsvmKeepsNumbersSortedAndMerged) {
  EXPECT_EQ(converted("1 3:2 1:0.5 3:1\n", "libsvm"), "1 1:0.5 3:3\n");
  EXPECT_EQ(converted("7\t12 5 5\n", "libsvm", {"--format", "megam"}), "7 5:1 12:1\n");
}

TEST_F(Convert, LibsvmNumbersNamesIntoAVocabulary) {
  EXPECT_EQ(
      converted("1\tword other\n2\tnew word\n", "libsvm", {"--vocabulary", "names.tsv"}),
      "1 1:1 2:1\n2 1:1 3:1\n");
  EXPECT_EQ(read("names.tsv"), "1\tword\n2\tother\n3\tnew\n");
}

TEST_F(Convert, TextBecomesWordFeatures) {
  EXPECT_EQ(converted("label,text\nx,Good day\n", "megam"), "x\tday good\n");
  EXPECT_EQ(converted("label,text\nx,Good day\n", "megam", {"--no-lower-case"}),
            "x\tGood day\n");
}

TEST_F(Convert, ThereAndBackIsTheSame) {
  const std::string rows = "a\tx y\nb\t$$$WEIGHT 3 z\n";
  EXPECT_EQ(converted(converted(rows, "jsonl"), "megam"), rows);
  const std::string values = "a\tx 0.1 y -3e-20\nb\tz 16777216\n";
  const std::string json = converted(values, "jsonl", {"--format", "megam-fvals"});
  EXPECT_EQ(converted(json, "megam-fvals"), "a\tx 0.1 y -3e-20\nb\tz 16777216\n");
}

TEST_F(Convert, CompressedInputAndNamedFiles) {
  write("rows.txt", "a\tx\n");
  ASSERT_EQ(testing_support::run_command({"gzip", "rows.txt"}, folder()).exit_code, 0);
  output_of({"convert", "rows.txt.gz", "--to", "jsonl", "-o", "rows.jsonl"});
  EXPECT_EQ(read("rows.jsonl"), "{\"label\":\"a\",\"features\":[\"x\"]}\n");
}

TEST_F(Convert, RefusesWhatTheFormatCannotHold) {
  expect_refused("{\"label\":\"a\",\"features\":[\"two words\"]}\n", "megam",
                 "the feature 'two words' has white space inside", "use --to jsonl");
  expect_refused("{\"label\":\"a b\",\"features\":[\"x\"]}\n", "megam",
                 "the label 'a b' has white space inside", "use --to jsonl");
  expect_refused("{\"label\":\"#a\",\"features\":[\"x\"]}\n", "megam",
                 "would begin a comment", "use --to jsonl");
  expect_refused("{\"label\":\"a\",\"features\":[\"$$$WEIGHT\"]}\n", "megam",
                 "looks like a directive", "use --to jsonl");
  expect_refused("{\"label\":\"a\",\"features\":{\"x\":2}}\n", "megam",
                 "the feature 'x' has the value 2", "use --to megam-fvals");
  expect_refused("{\"label\":\"a\",\"features\":[\"x\"]}\n", "libsvm",
                 "the feature 'x' is not a whole number", "add --vocabulary FILE");
  expect_refused("{\"features\":[\"x\"]}\n", "megam", "label", "");
}

TEST_F(Convert, LosesFieldsOnlyWhenAsked) {
  const std::string row =
      "{\"label\":\"a\",\"features\":[\"x\"],\"group\":\"g\",\"domain\":\"d\",\"id\":\"i\"}"
      "\n";
  expect_refused(row, "megam", "the row has a domain", "use --to jsonl, or --lossy");
  EXPECT_EQ(converted(row, "megam", {"--lossy"}), "a\tx\n");
  EXPECT_EQ(nlohmann::json::parse(converted(row, "jsonl")), nlohmann::json::parse(row));
  expect_refused("{\"label\":\"a\",\"features\":[\"1\"],\"weight\":2}\n", "libsvm",
                 "the row has a weight", "use --to jsonl, or --lossy");
}

}  // namespace
}  // namespace megadapt
