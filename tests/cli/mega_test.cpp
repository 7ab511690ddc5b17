#include <cmath>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Mega : public Cli {
 protected:
  std::vector<std::string> train_command(const std::vector<std::string>& more,
                                         const std::string& system = "megam") const {
    write("calls.txt", calls());
    write("news.txt", news());
    std::vector<std::string> arguments = {
        "train",           "--system", system,  "-d", "news=news.txt", "-d",
        "calls=calls.txt", "-t",       "calls", "-o", "m.mega",        "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(Mega, TraceHasALinePerSubStepAndNeverFalls) {
  output_of(train_command({"--trace", "trace.jsonl", "--rounds", "3"}));
  std::istringstream lines(read("trace.jsonl"));
  std::vector<std::string> steps;
  double last = -INFINITY;
  for (std::string line; std::getline(lines, line);) {
    const auto step = nlohmann::json::parse(line);
    steps.push_back(step["step"]);
    const double objective = step["objective"];
    EXPECT_GE(objective, last - 1e-6 * std::abs(objective)) << line;
    last = objective;
    EXPECT_GE(step["bound"], -1e-6 * std::abs(objective));
    EXPECT_EQ(step["round"], (steps.size() - 1) / 6 + 1);
    EXPECT_GT(step["general_share"]["news"], 0);
    EXPECT_LT(step["general_share"]["calls"], 1);
    EXPECT_GE(step["seconds"], 0);
  }
  EXPECT_EQ(steps.size(), 18u);
  const std::vector<std::string> round(steps.begin(), steps.begin() + 6);
  EXPECT_THAT(round, testing::ElementsAre("e", "pi", "e", "lambda", "e", "psi"));
}

TEST_F(Mega, ResumingFromACheckpointGivesTheSameBits) {
  output_of(train_command({}));
  const std::string whole = read("m.mega");
  output_of(train_command({"--checkpoint", "c.mega"}));
  EXPECT_EQ(read("m.mega"), whole);
  std::filesystem::remove(folder() + "/m.mega");
  output_of(train_command({"--checkpoint", "c.mega"}));  // all rounds are done already
  EXPECT_EQ(read("m.mega"), whole);
}

TEST_F(Mega, RoundsCanGoOnUntilNothingMoves) {
  output_of(train_command({"--rounds", "auto", "--trace", "t.jsonl"}));
  const auto options = json_of({"model", "info", "m.mega", "--json"})["options"];
  EXPECT_EQ(options["rounds"], "auto");
  std::istringstream lines(read("t.jsonl"));
  int rounds = 0;
  for (std::string line; std::getline(lines, line);) {
    rounds = nlohmann::json::parse(line)["round"];
  }
  EXPECT_GT(rounds, 1);
  const CommandResult annealed = run(train_command({"--rounds", "auto", "--anneal", "2"}));
  EXPECT_EQ(annealed.exit_code, 2);
  EXPECT_THAT(annealed.err, HasSubstr("fix: give --rounds a number"));
}

TEST_F(Mega, OneEStepPerRoundIfAskedFor) {
  output_of(train_command({"--refresh", "round", "--rounds", "1", "--trace", "t.jsonl"}));
  std::istringstream lines(read("t.jsonl"));
  std::vector<std::string> steps;
  for (std::string line; std::getline(lines, line);) {
    steps.push_back(nlohmann::json::parse(line)["step"]);
  }
  EXPECT_THAT(steps, testing::ElementsAre("e", "pi", "lambda", "psi"));
}

TEST_F(Mega, InspectAndExportShowPsiAndTheMeanOfTheGate) {
  output_of(train_command({}));
  const auto result = json_of({"inspect", "m.mega", "--json"});
  const double mean = result["domains"]["calls"]["mean_general"];
  EXPECT_GT(mean, 0);
  EXPECT_LT(mean, 1);
  const auto gate = result["top"]["gate"]["calls"];
  for (const char* side : {"general", "specific"}) {
    for (const auto& entry : gate[side]) {
      const double general = entry["psi"]["general"], specific = entry["psi"]["specific"];
      const double weight =
          std::log(general / (1 - general)) - std::log(specific / (1 - specific));
      EXPECT_NEAR(std::abs(weight), entry["weight"], 1e-3);
    }
  }
  EXPECT_THAT(output_of({"inspect", "m.mega"}), HasSubstr("mean P(general | row)"));
  const std::string text = output_of({"model", "export", "m.mega"});
  EXPECT_THAT(text, HasSubstr("section predictor/gate/presence f32 3 "));
  EXPECT_THAT(text, HasSubstr("section predictor/mean_general f64 1 2"));
  output_of(train_command({"--gate", "logistic"}));
  EXPECT_THAT(output_of({"inspect", "m.mega"}), Not(HasSubstr("psi ")));
}

TEST_F(Mega, PsiCanBeMaximisedTogether) {
  output_of(train_command({"--psi-step", "lbfgs", "--trace", "t.jsonl"}));
  double last = -INFINITY;
  std::istringstream lines(read("t.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const double objective = nlohmann::json::parse(line)["objective"];
    EXPECT_GE(objective, last - 1e-6 * std::abs(objective)) << line;
    last = objective;
  }
  EXPECT_EQ(json_of({"model", "info", "m.mega", "--json"})["options"]["psi-step"], "lbfgs");
}

TEST_F(Mega, ACheckpointOfAnotherTrainingIsRefused) {
  output_of(train_command({"--checkpoint", "c.mega"}));
  const CommandResult result =
      run(train_command({"--checkpoint", "c.mega", "--variance", "2"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another training"));
}

// The names of the files and the options are the same; only the labels differ.
TEST_F(Mega, ACheckpointOfOtherLabelsIsRefused) {
  write("map.txt", "sun\train\nrain\tsun\n");
  output_of(train_command({"--checkpoint", "c.mega"}));
  const CommandResult result =
      run(train_command({"--checkpoint", "c.mega", "--map-labels", "map.txt"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("another training"));
}

TEST_F(Mega, ADamagedCheckpointIsRefused) {
  write("c.mega", "not a checkpoint");
  EXPECT_EQ(run(train_command({"--checkpoint", "c.mega"})).exit_code, 3);
}

TEST_F(Mega, PredictTellsHowGeneralARowIs) {
  output_of(train_command({}));
  const auto row =
      json_of({"predict", "m.mega", "-", "--unlabelled", "--json"}, "warm dry\n");
  EXPECT_GT(row["general"], 0);
  EXPECT_LT(row["general"], 1);
  const std::string text = output_of(
      {"predict", "m.mega", "-", "--unlabelled", "--proba", "--gate"}, "warm dry\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\t'), 3) << text;
}

TEST_F(Mega, AnyDomainCanBePredicted) {
  output_of(train_command({"--variance", "10", "--pi-init", "0.2"}));
  const auto as = [&](const std::string& domain) {
    return json_of(
        {"predict", "m.mega", "-", "--unlabelled", "--json", "--as-domain", domain},
        "warm wet\n")["probabilities"];
  };
  EXPECT_NE(as("news"), as("calls"));
  EXPECT_EQ(run({"predict", "m.mega", "-", "--as-domain", "cals"}, "").exit_code, 2);
}

TEST_F(Mega, InspectShowsSharesExpertsAndGate) {
  output_of(train_command({}));
  const auto shown = json_of({"inspect", "m.mega", "--json"});
  EXPECT_GT(shown["domains"]["calls"]["general_share"], 0);
  for (const char* part : {"general", "news", "calls", "gate"}) {
    EXPECT_TRUE(shown["top"].contains(part)) << part;
  }
  EXPECT_TRUE(shown["top"]["gate"]["calls"].contains("specific"));
}

TEST_F(Mega, OneDomainIsPlainMaximumEntropy) {
  write("calls.txt", calls());
  const auto prediction = [&](const std::string& system) {
    output_of({"train", "--system", system, "-d", "calls=calls.txt", "-o", "m.mega", "-q"});
    return output_of({"predict", "m.mega", "calls.txt", "--proba"});
  };
  EXPECT_EQ(prediction("megam"), prediction("mix"));
}

TEST_F(Mega, EveryVariantTrains) {
  const std::vector<std::vector<std::string>> variants = {
      {"--e-step", "loo"},        {"--e-step", "crossfit:2"},
      {"--gate", "logistic"},     {"--centre", "general"},
      {"--anneal", "4"},          {"--pi", "fixed"},
      {"--gate-features", "2"},   {"--pi-init", "news=0.9"},
      {"--beta", "1,1"},          {"--specific-variance", "0.1"},
      {"--centre", "others"},     {"--gate", "psi"},
      {"--prior-exponent", "0.5"}};
  for (const auto& variant : variants) {
    SCOPED_TRACE(variant[0] + " " + variant[1]);
    output_of(train_command(variant));
    EXPECT_EQ(json_of({"eval", "m.mega", "calls.txt", "--json"})["accuracy"], 1);
    const auto row =
        json_of({"predict", "m.mega", "-", "--unlabelled", "--json"}, "warm bright\n");
    EXPECT_EQ(row["label"], "sun");
    const double sun = row["probabilities"]["sun"];
    const double rain = row["probabilities"]["rain"];
    EXPECT_NEAR(sun + rain, 1, 1e-12);
  }
}

TEST_F(Mega, OptionsThatMakeNoSenseAreRefusedWithARemedy) {
  const std::vector<std::vector<std::string>> wrong = {{"--beta", "0.5,2"},
                                                       {"--beta", "2"},
                                                       {"--e-step", "crossfit:1"},
                                                       {"--e-step", "often"},
                                                       {"--pi-init", "1"},
                                                       {"--pi-init", "cals=0.5"},
                                                       {"--pi-init", "calls=much"},
                                                       {"--anneal", "0.5"},
                                                       {"--rounds", "0"},
                                                       {"--psi-sweeps", "0"},
                                                       {"--specific-variance", "-1"},
                                                       {"--prior-exponent", "2"},
                                                       {"--prior-exponent", "much"}};
  for (const auto& option : wrong) {
    SCOPED_TRACE(option[0] + " " + option[1]);
    const CommandResult result = run(train_command(option));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, StartsWith("error: "));
    EXPECT_THAT(result.err, HasSubstr("\nfix: "));
    EXPECT_EQ(files(), (std::vector<std::string>{"calls.txt", "news.txt"}));
  }
}

}  // namespace
}  // namespace megadapt
