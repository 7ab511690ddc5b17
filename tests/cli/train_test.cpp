#include <fmt/format.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Train : public Cli {};

TEST_F(Train, SumsUpOnStderrAndWritesTheModel) {
  write("calls.txt", calls());
  const CommandResult result =
      run({"train", "--system", "mix", "-d", "calls=calls.txt", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("mix: 4 examples, 7 features, 2 labels, objective "));
  EXPECT_THAT(result.err, Not(HasSubstr("\r"))) << "a progress bar in a pipe";
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt", "m.mega"}));
}

TEST_F(Train, JsonSumsUpOnStdout) {
  write("calls.txt", calls());
  const auto result = json_of({"train", "--system", "mix", "-d", "calls=calls.txt", "-o",
                               "m.mega", "--json", "--tolerance", "1e-6"});
  EXPECT_EQ(result["system"], "mix");
  EXPECT_EQ(result["examples"], 4);
  EXPECT_EQ(result["features"], 7);
  EXPECT_EQ(result["labels"], 2);
  EXPECT_EQ(result["output"], "m.mega");
  EXPECT_EQ(result["converged"], true);
  EXPECT_GT(result["objective"], 0);
  EXPECT_LE(result["gap"], 1e-6);
  EXPECT_GE(result["passes"], 1);
  EXPECT_GE(result["seconds"], 0);
}

TEST_F(Train, MoreMemoryThanTheLimitIsRefusedByPart) {
  write("calls.txt", calls());
  const auto limited = [&](const std::string& limit) {
    return run({"train", "--system", "mix", "-d", "calls=calls.txt", "-o", "m.mega",
                "--memory-limit", limit});
  };
  const CommandResult refused = limited("1K");
  EXPECT_EQ(refused.exit_code, 5);
  EXPECT_THAT(refused.err, StartsWith("error: training with mix takes about "));
  EXPECT_THAT(refused.err, HasSubstr("--memory-limit is 1.0 KiB: rows "));
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt"}));
  for (const std::string bad : {"2X", "G", "0", "-1", "1GB", "99999999999T"}) {
    EXPECT_EQ(limited(bad).exit_code, 2) << bad;
  }
  EXPECT_EQ(limited("1M").exit_code, 0);
}

TEST_F(Train, EverySystemTrains) {
  for (const std::string system : {"onlyi", "onlyo", "lini", "mix", "mixw", "feats",
                                   "prior", "easyadapt", "megam", "pool", "stack"}) {
    train_weather(system);
    EXPECT_EQ(json_of({"model", "info", "weather.mega", "--json"})["system"], system);
  }
}

TEST_F(Train, SystemsDifferAsTheirRowsDo) {
  train_weather("onlyi");
  const auto only_target = json_of({"inspect", "weather.mega", "--json"})["top"];
  train_weather("onlyo");
  const auto only_source = json_of({"inspect", "weather.mega", "--json"})["top"];
  EXPECT_NE(only_target, only_source);
}

TEST_F(Train, AnOptionThatTheSystemDoesNotReadIsRefused) {
  write("calls.txt", calls());
  write("news.txt", news());
  const auto command = [&](const std::string& system, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", "--system", system, "-d", "news=news.txt", "-d",
                               "calls=calls.txt", "-t", "calls", "-o", "m.mega", "-q"});
    return more;
  };
  const CommandResult rounds = run(command("onlyi", {"--rounds", "5"}));
  EXPECT_EQ(rounds.exit_code, 2);
  EXPECT_EQ(rounds.err,
            "error: --rounds: onlyi does not read this option\n"
            "fix: leave it out, or use megam, stack\n");
  for (const char* name : {"--trace", "--checkpoint"}) {
    const CommandResult result = run(command("mix", {name, "file"}));
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.err, HasSubstr("\nfix: "));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt", "news.txt"}));
  output_of(command("onlyi", {"--prior-exponent", "0.3", "--tolerance", "0.001"}));
}

TEST_F(Train, ASystemOfVersion01PointsToItsSuccessor) {
  write("calls.txt", calls());
  const CommandResult result =
      run({"train", "--system", "megaloo", "-d", "calls=calls.txt", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("'megaloo' was removed\nfix: use 'pool'"));
}

TEST_F(Train, ASystemThatNeedsASourceSaysSo) {
  write("calls.txt", calls());
  const CommandResult result =
      run({"train", "--system", "onlyo", "-d", "calls=calls.txt", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("\nfix: "));
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt"}));
}

TEST_F(Train, WithOneDomainThePlainSystemsAgree) {
  write("calls.txt", calls());
  for (const std::string system : {"mix", "onlyi"}) {
    output_of({"train", "-q", "--system", system, "-d", "calls=calls.txt", "-o",
               system + ".mega"});
  }
  EXPECT_EQ(output_of({"predict", "mix.mega", "calls.txt", "--proba"}),
            output_of({"predict", "onlyi.mega", "calls.txt", "--proba"}));
}

TEST_F(Train, SeveralDomainsNeedATarget) {
  write("calls.txt", calls());
  write("news.txt", news());
  const CommandResult none = run({"train", "--system", "mix", "-d", "news=news.txt", "-d",
                                  "calls=calls.txt", "-o", "m.mega"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--target news or calls"));
  const CommandResult near = run({"train", "--system", "mix", "-d", "news=news.txt", "-d",
                                  "calls=calls.txt", "-t", "call", "-o", "m.mega"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.err, HasSubstr("did you mean 'calls'?"));
}

TEST_F(Train, OneNameTakesSeveralFilesAndPathsMayHoldAnEqualsSign) {
  write("a=1.txt", calls());
  write("b.txt", news());
  output_of({"train", "-q", "--system", "mix", "--domain=all=a=1.txt", "--domain",
             "all=b.txt", "-o", "m.mega"});
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["domains"]["all"]["examples"], 9);
  EXPECT_EQ(info["data"][0]["file"], "a=1.txt");
}

TEST_F(Train, StandardInputAndOutputGiveTheSameModel) {
  write("calls.txt", calls());
  output_of({"train", "-q", "--system", "mix", "-d", "calls=calls.txt", "-o", "m.mega"});
  const CommandResult piped =
      run({"train", "-q", "--system", "mix", "-d", "calls=-", "-o", "-"}, calls());
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  write("piped.mega", piped.out);
  EXPECT_EQ(output_of({"predict", "piped.mega", "calls.txt", "--json"}),
            output_of({"predict", "m.mega", "calls.txt", "--json"}));
  EXPECT_EQ(output_of({"predict", "-", "calls.txt", "--json"}, piped.out),
            output_of({"predict", "m.mega", "calls.txt", "--json"}));
}

TEST_F(Train, ThreadsDoNotChangeABit) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += (i * 7 % 3 == 0 ? "a\t" : i % 2 ? "b\t" : "c\t");
    text += fmt::format("f{} g{}\n", i * 31 % 97, i * 17 % 53);
  }
  write("rows.txt", text);
  for (const std::string threads : {"1", "8"}) {
    output_of({"train", "-q", "--system", "mix", "-d", "d=rows.txt", "--threads", threads,
               "-o", "m" + threads});
  }
  EXPECT_EQ(read("m1"), read("m8"));
  const std::string one = output_of({"predict", "m1", "rows.txt", "-p", "--threads", "1"});
  EXPECT_EQ(one, output_of({"predict", "m1", "rows.txt", "-p", "--threads", "8"}));
  EXPECT_EQ(output_of({"eval", "m1", "rows.txt", "--threads", "1"}),
            output_of({"eval", "m1", "rows.txt", "--threads", "8"}));
}

TEST_F(Train, StrictFailsWithFourAndLeavesNothing) {
  write("calls.txt", calls());
  const CommandResult strict =
      run({"train", "--system", "mix", "-d", "d=calls.txt", "-o", "m", "--max-passes", "1",
           "--tolerance", "1e-12", "--strict"});
  EXPECT_EQ(strict.exit_code, 4);
  EXPECT_THAT(strict.err, StartsWith("error: "));
  EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt"}));
  const CommandResult lax = run({"train", "--system", "mix", "-d", "d=calls.txt", "-o", "m",
                                 "--max-passes", "1", "--tolerance", "1e-12"});
  EXPECT_EQ(lax.exit_code, 0);
  EXPECT_THAT(lax.err, StartsWith("warning: stopped before the tolerance"));
}

TEST_F(Train, ReadingOptionsReachThePrediction) {
  write("text.csv", "label,text\nx,\"Good DAY\"\ny,bad night\nx,good evening\n");
  output_of({"train", "-q", "--system", "mix", "-d", "d=text.csv", "--word-ngrams", "2",
             "--no-bias", "-o", "m.mega"});
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["options"]["word-ngrams"], "2");
  EXPECT_EQ(info["options"]["bias"], "false");
  const CommandResult seen = run({"predict", "m.mega", "text.csv", "--verbose"});
  EXPECT_EQ(seen.out, "x\ny\nx\n");
  EXPECT_THAT(seen.err, HasSubstr("0 feature occurrences not in the model"));
}

TEST_F(Train, HashedFeaturesAreHashedByPrediction) {
  write("calls.txt", calls());
  output_of({"train", "-q", "--system", "mix", "-d", "d=calls.txt", "--hash-bits", "20",
             "-o", "m.mega"});
  EXPECT_THAT(output_of({"inspect", "m.mega"}), Not(HasSubstr("warm")));
  const CommandResult seen = run({"predict", "m.mega", "calls.txt", "-v"});
  EXPECT_EQ(seen.out, "sun\nsun\nrain\nrain\n");
  EXPECT_THAT(seen.err, HasSubstr("0 feature occurrences not in the model"));
  output_of({"train", "-q", "--system", "mix", "-d", "d=calls.txt", "--hash-bits", "1",
             "-o", "tiny.mega"});
  EXPECT_LE(json_of({"model", "info", "tiny.mega", "--json"})["features"], 3);
}

TEST_F(Train, APatternNamesManyFiles) {
  write("a1.txt", calls());
  write("a2.txt", news());
  output_of({"train", "-q", "--system", "mix", "-d", "d=a?.txt", "-o", "m.mega"});
  const auto data = json_of({"model", "info", "m.mega", "--json"})["data"];
  ASSERT_EQ(data.size(), 2u);
  EXPECT_EQ(data[0]["file"], "a1.txt");
  EXPECT_EQ(data[1]["rows"], 5);
  const CommandResult none =
      run({"train", "--system", "mix", "-d", "d=b*", "-o", "m.mega"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("b*: no such file"));
}

TEST_F(Train, MinCountAndBinShrinkAndSplitTheFeatures) {
  write("values.txt", "a x 1 y 5\na x 2 y 6\nb x 3 y 7\nb x 4 rare 2\n");
  output_of({"train", "-q", "--system", "mix", "-d", "d=values.txt", "--format",
             "megam-fvals", "--min-count", "2", "--no-bias", "-o", "kept.mega"});
  EXPECT_EQ(json_of({"model", "info", "kept.mega", "--json"})["features"], 2);
  output_of({"train", "-q", "--system", "mix", "-d", "d=values.txt", "--format",
             "megam-fvals", "--bin", "2", "-o", "binned.mega"});
  EXPECT_THAT(output_of({"inspect", "binned.mega"}), HasSubstr("x[1/2]"));
  const CommandResult seen =
      run({"predict", "binned.mega", "values.txt", "--format", "megam-fvals", "-v"});
  EXPECT_THAT(seen.err, HasSubstr("0 feature occurrences not in the model"));
}

// Such a file was once read as feature lines, and its header as a row.
TEST_F(Cli, ATableWithOtherColumnsIsReadByTheOptionsThatItsRefusalNames) {
  write("r.csv",
        "review,sentiment\n\"Great film, really\",pos\nAwful film,neg\nGreat cast,pos\n");
  std::vector<std::string> arguments{"train", "-q",      "-s", "mix",
                                     "-d",    "d=r.csv", "-o", "m.mega"};
  const CommandResult refused = run(arguments);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("found: review, sentiment"));
  EXPECT_THAT(refused.err,
              HasSubstr("fix: add --text-column review --label-column sentiment\n"));
  EXPECT_EQ(files(), (std::vector<std::string>{"r.csv"}));
  for (const char* word : {"--text-column", "review", "--label-column", "sentiment"}) {
    arguments.emplace_back(word);
  }
  output_of(arguments);
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["labels"], (nlohmann::json{"pos", "neg"}));
  EXPECT_EQ(info["options"]["text-column"], "review");
  // The model finds the columns of such a table by itself.
  EXPECT_EQ(json_of({"eval", "m.mega", "r.csv", "--json"})["accuracy"], 1.0);
}

}  // namespace
}  // namespace megadapt
