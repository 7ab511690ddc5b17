#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Predict : public Cli {
 protected:
  Predict() { train_weather(); }
};

TEST_F(Predict, WritesOneLabelPerRow) {
  EXPECT_EQ(output_of({"predict", "weather.mega", "calls.txt"}), "sun\nsun\nrain\nrain\n");
}

TEST_F(Predict, ProbabilitiesFollowTheLabelInTheModelsOrder) {
  const std::string text =
      output_of({"predict", "weather.mega", "-", "--proba", "--header"},
                "sun\twarm dry\nrain\twet\n");
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "label\tsun\train");
  const std::vector<std::string> expected{"sun", "rain"};
  for (std::size_t row = 0; row < 2; ++row) {
    std::string label;
    double sun = 0;
    double rain = 0;
    lines >> label >> sun >> rain;
    EXPECT_EQ(label, expected[row]);
    EXPECT_NEAR(sun + rain, 1, 2e-6) << "six digits each";
    EXPECT_EQ(sun > rain, label == "sun");
  }
}

TEST_F(Predict, JsonHoldsEveryProbability) {
  const std::string rows =
      "{\"id\":\"r\\\"1\",\"features\":[\"warm\"],\"domain\":\"news\"}\n"
      "{\"features\":[\"wet\",\"new\"]}\n";
  std::istringstream lines(
      output_of({"predict", "weather.mega", "-", "--json", "--unlabelled"}, rows));
  std::string line;
  std::getline(lines, line);
  const auto first = nlohmann::json::parse(line);
  EXPECT_EQ(first["id"], "r\"1");
  EXPECT_EQ(first["label"], "sun");
  EXPECT_EQ(first["probabilities"].size(), 2u);
  EXPECT_NEAR(first["probabilities"]["sun"].get<double>() +
                  first["probabilities"]["rain"].get<double>(),
              1, 1e-12);
  EXPECT_FALSE(first.contains("general"));
  std::getline(lines, line);
  EXPECT_EQ(nlohmann::json::parse(line)["label"], "rain");
}

TEST_F(Predict, ADomainThatIsNearlyKnownGetsASuggestion) {
  write("rows.jsonl",
        "{\"label\":\"sun\",\"features\":[\"warm\"],\"domain\":\"news\"}\n"
        "{\"label\":\"sun\",\"features\":[\"warm\"],\"domain\":\"newz\"}\n");
  for (const char* command : {"predict", "eval", "explain"}) {
    const CommandResult result = run({command, "weather.mega", "rows.jsonl"});
    EXPECT_EQ(result.exit_code, 0) << command;
    EXPECT_THAT(result.err, HasSubstr("1 row is of a domain that the model does not know, "
                                      "such as 'newz', predicted as 'calls'"));
    EXPECT_THAT(result.err, HasSubstr("did you mean 'news'?"));
  }
}

TEST_F(Predict, UnlabelledLinesHoldFeaturesOnly) {
  EXPECT_EQ(output_of({"predict", "weather.mega", "-", "--unlabelled"}, "warm\nwet dark\n"),
            "sun\nrain\n");
}

TEST_F(Predict, ALineWithoutFeaturesIsARowOfItsOwn) {
  EXPECT_EQ(output_of({"predict", "weather.mega", "-", "--unlabelled", "--format", "megam"},
                      "wet\n\nwet\n")
                .substr(0, 5),
            "rain\n");
  const std::string answers =
      output_of({"predict", "weather.mega", "-", "--unlabelled", "--format", "megam"},
                "wet\n\nwet\n");
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 3);
}

TEST_F(Predict, TopPrintsTheMostProbableLabelsFirst) {
  const std::string rows = "rain\twet\n";
  const std::string top =
      output_of({"predict", "weather.mega", "-", "--top", "2", "--header"}, rows);
  EXPECT_THAT(top,
              testing::StartsWith("label\tlabel 1\tprobability 1\tlabel 2\tprobability "
                                  "2\nrain\train\t0."));
  EXPECT_EQ(top.find("\tsun\t"), top.rfind("\tsun\t"));
  EXPECT_THAT(output_of({"predict", "weather.mega", "-", "--top", "1", "--json"}, rows),
              HasSubstr(R"({"label":"rain","probabilities":{"rain":0.)"));
  EXPECT_EQ(run({"predict", "weather.mega", "-", "--top", "0"}, rows).exit_code, 2);
  EXPECT_EQ(run({"predict", "weather.mega", "-", "--top", "1", "-p"}, rows).exit_code, 2);
}

TEST_F(Predict, RowsBelowTheThresholdGetAnotherLabel) {
  const std::string rows = "rain\twet cold dark\nrain\n";
  EXPECT_EQ(output_of({"predict", "weather.mega", "-", "--threshold", "0.6"}, rows),
            "rain\n?\n");
  EXPECT_EQ(output_of({"predict", "weather.mega", "-", "--threshold", "0.6", "--otherwise",
                       "unsure"},
                      rows),
            "rain\nunsure\n");
  EXPECT_THAT(
      output_of({"predict", "weather.mega", "-", "--threshold", "1", "--json"}, rows),
      HasSubstr(R"({"label":"?","probabilities":{")"));
  const CommandResult bad = run({"predict", "weather.mega", "-", "--threshold", "2"}, rows);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("--threshold 2: no probability is above 1"));
}

TEST_F(Predict, TheIdOfARowIsTheLastColumn) {
  const std::string rows =
      "{\"id\": \"a\", \"features\": [\"wet\"]}\n{\"features\": [\"warm\"]}\n";
  EXPECT_EQ(
      output_of({"predict", "weather.mega", "-", "-u", "--format", "jsonl", "--header"},
                rows),
      "label\tid\nrain\ta\nsun\t\n");
}

TEST_F(Predict, UnseenFeaturesAreIgnoredAndCountedWhenAsked) {
  const std::string rows = "sun\twarm snow hail\n";
  EXPECT_EQ(output_of({"predict", "weather.mega", "-"}, rows), "sun\n");
  const CommandResult verbose = run({"predict", "weather.mega", "-", "-v"}, rows);
  EXPECT_EQ(verbose.out, "sun\n");
  EXPECT_EQ(verbose.err, "2 feature occurrences not in the model and ignored\n");
}

TEST_F(Predict, KeepsTheOrderOfManyRowsOnManyThreads) {
  std::string rows;
  std::string expected;
  for (int i = 0; i < 30000; ++i) {
    const bool wet = i * 2654435761u >> 31 & 1;
    rows += wet ? "sun\twet cold dark\n" : "sun\twarm dry bright\n";
    expected += wet ? "rain\n" : "sun\n";
  }
  EXPECT_EQ(output_of({"predict", "weather.mega", "-", "--threads", "8"}, rows), expected);
  write("rows.txt", rows);
  EXPECT_EQ(output_of({"predict", "weather.mega", "rows.txt", "--threads", "8"}), expected);
}

TEST_F(Predict, AnswersBeforeTheInputEnds) {
  for (const std::string threads : {"1", "4"}) {
    RunningCommand server(
        command({"predict", "weather.mega", "-", "--unlabelled", "--threads", threads}),
        folder());
    server.write("warm\n");
    EXPECT_EQ(server.read_line(), "sun");
    server.write("wet\ncold dark\n");
    EXPECT_EQ(server.read_line(), "rain");
    EXPECT_EQ(server.read_line(), "rain");
    server.close_input();
    const CommandResult end = server.finish();
    EXPECT_EQ(end.exit_code, 0);
    EXPECT_EQ(end.out, "");
  }
}

TEST_F(Predict, RowsBeforeABadOneAreAnswered) {
  for (const std::string threads : {"1", "4"}) {
    const CommandResult result = run({"predict", "weather.mega", "-", "--threads", threads},
                                     "sun\twarm\nrain\twet\n\twarm\n");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "sun\nrain\n");
    EXPECT_THAT(result.err, HasSubstr("standard input:3: "));
  }
}

TEST_F(Predict, ABadRowLeavesTheOutputFileAsItWas) {
  write("old.txt", "old\n");
  const CommandResult result =
      run({"predict", "weather.mega", "-", "-o", "old.txt"}, "sun\twarm\n\twarm\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(read("old.txt"), "old\n");
  EXPECT_EQ(files(),
            (std::vector<std::string>{"calls.txt", "news.txt", "old.txt", "weather.mega"}));
}

TEST_F(Predict, UnknownDomainsAndMissingGatesAreRefused) {
  const CommandResult domain =
      run({"predict", "weather.mega", "calls.txt", "--as-domain", "new"});
  EXPECT_EQ(domain.exit_code, 2);
  EXPECT_THAT(domain.err, HasSubstr("did you mean 'news'?"));
  const CommandResult gate = run({"predict", "weather.mega", "calls.txt", "--gate"});
  EXPECT_EQ(gate.exit_code, 2);
  EXPECT_THAT(gate.err, HasSubstr("a 'mix' model has no gate"));
  EXPECT_EQ(output_of({"predict", "weather.mega", "calls.txt", "--as-domain", "news"}),
            output_of({"predict", "weather.mega", "calls.txt"}));
}

TEST_F(Predict, AReaderThatGoesAwayEndsItQuietly) {
  std::string rows;
  for (int i = 0; i < 200000; ++i) rows += "x\twet cold dark\n";
  write("rows.txt", rows);
  const CommandResult result = testing_support::run_command(
      {"sh", "-c", "\"$0\" predict weather.mega rows.txt | head -n 1", MEGADAPT_PROGRAM},
      folder());
  EXPECT_EQ(result.out, "rain\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(Predict, AFullDiskExitsWithFive) {
  const CommandResult result =
      run({"predict", "weather.mega", "calls.txt", "-o", "/dev/full"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, StartsWith("error: /dev/full: cannot write"));
}

}  // namespace
}  // namespace megadapt
