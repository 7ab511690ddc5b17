#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class CompareCli : public Cli {
 protected:
  CompareCli() {
    write("news.txt", rows(40, 1));
    write("calls.txt", rows(16, 2));
    write("test.txt", rows(30, 3));
  }
  // Rows whose words tell the weather; a quarter of the words are misleading.
  static std::string rows(int count, std::uint64_t seed) {
    std::string text;
    std::uint64_t state = seed;
    const auto draw = [&](std::uint64_t below) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (state >> 33) % below;
    };
    for (int n = 0; n < count; ++n) {
      const bool sun = draw(2) == 0;
      text += sun ? "sun" : "rain";
      for (int i = 0; i < 4; ++i) {
        text += fmt::format(" {}{}", (draw(4) == 0) != sun ? "warm" : "wet", draw(5));
      }
      text += fmt::format(" word{}\n", draw(1000));
    }
    return text;
  }
  // Returns lines LABEL WORD WORD ... as rows of a table, with `end` after each.
  static std::string table_of(const std::string& lines, const std::string& end) {
    std::string table;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
      line[line.find(' ')] = ',';
      table += line + end + "\n";
    }
    return table;
  }
  static std::vector<std::string> with(const std::string& name,
                                       std::vector<std::string> more) {
    std::vector<std::string> all = {
        name, "-d", "news=news.txt", "-d", "calls=calls.txt", "--target", "calls"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void expect_refused(const std::vector<std::string>& arguments,
                      const std::string& why) const {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_THAT(result.err, HasSubstr("\nfix: "));
  }
  static nlohmann::json without_seconds(nlohmann::json table) {
    for (auto& system : table["systems"]) {
      system.erase("seconds");
      for (auto& trial : system["tried"]) trial.erase("seconds");
    }
    return table;
  }
};

TEST_F(CompareCli, JsonHasTheAgreedFields) {
  const auto table = json_of(with("compare", {"--test", "test.txt", "--json", "--systems",
                                              "onlyi,mix,prior", "--tune-folds", "3"}));
  ASSERT_EQ(table["systems"].size(), 3u);
  for (const auto& system : table["systems"]) {
    EXPECT_TRUE(system["name"].is_string());
    for (const char* share : {"accuracy", "f1"}) {
      EXPECT_GE(system[share], 0);
      EXPECT_LE(system[share], 1);
    }
    EXPECT_GT(system["log_loss"], 0);
    EXPECT_EQ(system["interval"].size(), 2u);
    EXPECT_TRUE(system["tuned"]["variance"].is_number());
    EXPECT_GT(system["seconds"], 0);
    EXPECT_FALSE(system["tried"].empty());
  }
  ASSERT_EQ(table["pairs"].size(), 3u);
  for (const auto& pair : table["pairs"]) {
    EXPECT_TRUE(pair["a"].is_string());
    EXPECT_TRUE(pair["b"].is_string());
    EXPECT_EQ(pair["discordant"].size(), 2u);
    EXPECT_GE(pair["p_holm"], pair["p"]);
  }
  EXPECT_TRUE(table["best"].is_string());
  EXPECT_THAT(table["verdict"].get<std::string>(), StartsWith("Ship "));
  EXPECT_EQ(table["examples"], 30);
  EXPECT_EQ(table["complete"], true);
}

TEST_F(CompareCli, AllSystemsByFoldsAsATable) {
  const std::string out =
      output_of(with("compare", {"--folds", "2", "--tune-folds", "2", "--quiet"}));
  for (const char* word :
       {"onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior", "easyadapt", "megam",
        "pool", "stack", "accuracy %", "95% interval", "log loss", "error cut %", "best",
        "corrected p of every pair", "Ship "}) {
    EXPECT_THAT(out, HasSubstr(word));
  }
}

// Where domains conflict and x reveals it, megam needs many rounds. Before its other options
// are tuned, five rounds may look no better than one, and twenty must be tried all the same.
TEST_F(CompareCli, TuneFindsTheRoundsThatAConflictNeeds) {
  output_of({"data", "plant", "p", "--source-rows", "2000", "--target-rows", "400",
             "--test-rows", "10", "--seed", "3", "--quiet"});
  const auto tuned =
      json_of({"tune", "--system", "megam", "-d", "out=p/out.train.txt", "-d",
               "in=p/in.train.txt", "--target", "in", "--folds", "3", "--json", "--quiet"});
  EXPECT_EQ(tuned["tuned"]["rounds"], 20);
}

// --passes is what a run with --time prints; the plan and the result follow from it alone.
TEST_F(CompareCli, ALimitOfTimePrintsThePassesThatRepeatIt) {
  const auto limited = [&](const std::string& option, const std::string& value) {
    return with("compare", {"--test", "test.txt", "--systems", "onlyi,mix,easyadapt",
                            "--tune-folds", "2", option, value});
  };
  const CommandResult timed = run(limited("--time", "1h"));
  EXPECT_EQ(timed.exit_code, 0);
  EXPECT_THAT(timed.err, HasSubstr("tuning and testing 3 systems: about "));
  EXPECT_THAT(timed.err, HasSubstr("; --passes "));
  auto command = limited("--passes", "40");
  command.insert(command.end(), {"--json", "--quiet"});
  const auto table = json_of(command);
  EXPECT_EQ(table["plan"]["limit"], 40);
  EXPECT_FALSE(table["plan"]["left_out"].empty());
  EXPECT_EQ(table["left_out"].size(), table["plan"]["left_out"].size());
  EXPECT_EQ(without_seconds(table), without_seconds(json_of(command)));
  expect_refused(limited("--time", "soon"), "--time: 'soon' is not a time");
  expect_refused(limited("--passes", "0"), "--passes");
}

TEST_F(CompareCli, AnOptionThatNoChosenSystemReadsIsRefused) {
  for (const char* command : {"compare", "curve"}) {
    expect_refused(with(command, {"--systems", "onlyi,mix", "--set", "rounds=3"}),
                   "--rounds: no chosen system reads this option");
  }
  expect_refused(with("tune", {"--system", "mix", "--set", "rounds=3"}),
                 "--rounds: mix does not read this option");
  expect_refused(with("compare", {"--systems", "megaloo"}), "use 'pool'");
}

TEST_F(CompareCli, WithOneDomainTheOtherSystemsRun) {
  const auto table = json_of({"compare", "-d", "calls=calls.txt", "--test", "test.txt",
                              "--systems", "onlyi,prior,mixw", "--json"});
  EXPECT_EQ(table["systems"].size(), 1u);
  ASSERT_EQ(table["left_out"].size(), 2u);
  EXPECT_EQ(table["left_out"][0]["name"], "mixw");
  EXPECT_THAT(table["left_out"][0]["reason"].get<std::string>(),
              HasSubstr("needs rows of a domain other than the target"));
  expect_refused(
      {"compare", "-d", "calls=calls.txt", "--test", "test.txt", "--systems", "onlyo"},
      "no system could run");
}

// One table with a domain column is the same as a file for each domain.
TEST_F(CompareCli, OneTableOfManyDomains) {
  const std::string head = "label,text,domain\n";
  const std::string news_table = table_of(rows(40, 1), ",news");
  const std::string calls_table = table_of(rows(16, 2), ",calls");
  write("news.csv", head + news_table);
  write("calls.csv", head + calls_table);
  write("all.csv", head + news_table + calls_table);
  write("shops.csv", "label,text,shop\n" + news_table + calls_table);
  const auto compared = [&](std::vector<std::string> domains) {
    domains.insert(domains.begin(), "compare");
    domains.insert(domains.end(), {"-t", "calls", "--test", "calls.csv", "--no-tuning",
                                   "--json", "--quiet", "--systems", "mix,prior,megam"});
    return without_seconds(json_of(domains));
  };
  const auto apart = compared({"-d", "news=news.csv", "-d", "calls=calls.csv"});
  ASSERT_EQ(apart["systems"].size(), 3u) << apart["left_out"];
  EXPECT_EQ(compared({"-d", "all=all.csv"}), apart);
  EXPECT_EQ(compared({"-d", "all=shops.csv", "--domain-column", "shop"}), apart);
  expect_refused(
      {"compare", "-d", "all=all.csv", "-t", "all"},
      "--target all: no row is of this domain\nfix: the domains are news, calls");
  expect_refused({"compare", "-d", "all=all.csv", "-t", "call"},
                 "fix: did you mean 'calls'? the domains are news, calls");
  expect_refused({"compare", "-d", "all=all.csv", "-t", "calls", "--domain-column", "shop"},
                 "no column is called 'shop'; found: label, text, domain");
}

TEST_F(CompareCli, TestRowsMayHaveUnseenLabelsAndFeatures) {
  write("odd.txt", "snow cold9 white\nsun warm1\nrain nothingknown\n");
  const auto table = json_of(with(
      "compare", {"--test", "odd.txt", "--systems", "onlyi,mix", "--no-tuning", "--json"}));
  for (const auto& system : table["systems"]) {
    EXPECT_EQ(system["unseen_labels"], (nlohmann::json{{"snow", 1}}));
    EXPECT_TRUE(system["tuned"].empty());
  }
}

TEST_F(CompareCli, DuplicatesAreWarnedAbout) {
  const CommandResult result =
      run(with("compare", {"--test", "calls.txt", "--systems", "onlyi", "--no-tuning"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("rows contain 16 test rows"));
}

TEST_F(CompareCli, ResumeGivesTheSameAndRefusesOtherData) {
  const auto arguments = [&](const std::string& systems) {
    return with("compare", {"--test", "test.txt", "--systems", systems, "--tune-folds", "3",
                            "--resume", "kept", "--json"});
  };
  json_of(arguments("onlyi,mix"));
  const auto first = json_of(arguments("onlyi,mix,lini"));
  const auto again = json_of(arguments("onlyi,mix,lini"));
  EXPECT_EQ(first, again);
  const auto fresh =
      json_of(with("compare", {"--test", "test.txt", "--systems", "onlyi,mix,lini",
                               "--tune-folds", "3", "--json"}));
  EXPECT_EQ(without_seconds(first), without_seconds(fresh));
  write("calls.txt", rows(17, 2));
  expect_refused(arguments("onlyi"), "contains another comparison");
}

TEST_F(CompareCli, KnownSettingsAreUsedAsTheyAre) {
  write("table.json", output_of(with("compare", {"--test", "test.txt", "--tune-folds", "2",
                                                 "--systems", "all", "--json"})));
  const auto known = [&](const std::string& systems) {
    return json_of(with("compare", {"--test", "test.txt", "--settings", "table.json",
                                    "--systems", systems, "--json"}));
  };
  const auto table = nlohmann::json::parse(read("table.json"));
  const auto again = known("all");
  ASSERT_EQ(again["systems"].size(), 11u);
  for (std::size_t i = 0; i < 11; ++i) {
    EXPECT_EQ(again["systems"][i]["tuned"], table["systems"][i]["tuned"]);
    EXPECT_TRUE(again["systems"][i]["tried"].empty());
    EXPECT_EQ(again["systems"][i]["log_loss"], table["systems"][i]["log_loss"]);
  }
  // The stack does not need its members in the list of systems.
  EXPECT_EQ(known("stack")["systems"][0]["log_loss"], again["systems"][10]["log_loss"]);

  auto fewer = table;
  fewer["systems"].erase(10);
  fewer["systems"].erase(0);
  write("table.json", fewer.dump());
  const auto rest = known("onlyo,onlyi,stack");
  EXPECT_FALSE(rest["systems"][0]["tried"].empty());
  EXPECT_TRUE(rest["systems"][1]["tried"].empty());
  EXPECT_THAT(rest["left_out"][0]["reason"].get<std::string>(),
              HasSubstr("weights of the stack are not known"));
}

TEST_F(CompareCli, InvalidSettingsAreRefused) {
  const auto refuse = [&](const std::string& text, const std::string& why) {
    write("table.json", text);
    expect_refused(with("compare", {"--test", "test.txt", "--settings", "table.json"}),
                   why);
  };
  refuse("sun warm\n", "table.json: this is not the result of a comparison");
  refuse(R"({"systems": [{"name": "mix"}]})", "not the result of a comparison");
  refuse(R"({"systems": [{"name": "mixx", "tuned": {}}]})", "table.json: ");
  refuse(R"({"systems": [{"name": "mix", "tuned": {"varianz": 1}}]})", "varianz");
  expect_refused(with("compare", {"--settings", "absent.json"}), "absent.json");
}

class KeepCli : public CompareCli {
 protected:
  nlohmann::json kept(std::vector<std::string> more) const {
    more.insert(more.end(), {"--json", "--quiet", "--tune-folds", "2"});
    return json_of(with("compare", std::move(more)));
  }
  std::string probabilities(const std::string& model) const {
    return output_of({"predict", model, "test.txt", "--proba", "--quiet"});
  }
  void train_by(const std::vector<std::string>& more, const std::string& model) const {
    std::vector<std::string> arguments = with("train", {"-o", model, "--quiet"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    output_of(arguments);
  }
};

TEST_F(KeepCli, TheModelOfTheVerdictIsTheOneThatWasTested) {
  const auto table = kept({"--test", "test.txt", "--systems", "onlyi,mix,prior", "-o",
                           "best.mega", "--keep", "models"});
  EXPECT_EQ(table["output"], "best.mega");
  EXPECT_EQ(table["kept"], "models");
  EXPECT_EQ(json_of({"model", "info", "best.mega", "--json"})["system"], table["best"]);
  for (const auto& system : table["systems"]) {
    const std::string name = system["name"];
    const std::string model = "models/" + name + ".mega";
    const auto tested = json_of({"eval", model, "test.txt", "--json", "--quiet"});
    EXPECT_EQ(tested["accuracy"], system["accuracy"]) << name;
    EXPECT_NEAR(tested["log_loss"], system["log_loss"], 1e-12) << name;
    if (name != table["best"]) continue;
    EXPECT_EQ(read(model), read("best.mega"));
    EXPECT_EQ(system["settings"], table["best_settings"]);
  }
}

TEST_F(CompareCli, ControlShowsPermutedDomains) {
  const std::vector<std::string> told = {"--test", "test.txt", "--systems", "mix,prior",
                                         "-q"};
  std::vector<std::string> controlled = told;
  controlled.push_back("--control");
  EXPECT_THAT(output_of(with("compare", told)), Not(HasSubstr("permuted")));
  EXPECT_THAT(output_of(with("compare", controlled)), HasSubstr("permuted %"));
  controlled.push_back("--json");
  const auto mix = json_of(with("compare", controlled))["systems"][0];
  EXPECT_EQ(mix["permuted"]["log_loss"], mix["log_loss"]);
}

// train --settings makes the model that compare kept, whatever options compare had.
TEST_F(KeepCli, TrainTakesTheSettingsOfAComparison) {
  const std::vector<std::vector<std::string>> told = {
      {"--test", "test.txt"},
      {"--folds", "3", "--set", "variance=0.3", "--max-passes", "7", "--seed", "5"},
      {"--test", "test.txt", "--no-tuning", "--set", "out-weight=0.25"}};
  for (std::vector<std::string> more : told) {
    SCOPED_TRACE(testing::PrintToString(more));
    more.insert(more.end(), {"-o", "best.mega", "--keep", "models"});
    write("table.json", kept(more).dump());
    train_by({"--settings", "table.json"}, "again.mega");
    EXPECT_EQ(probabilities("again.mega"), probabilities("best.mega"));
    for (const char* system : {"lini", "mixw", "megam", "pool", "stack"}) {
      SCOPED_TRACE(system);
      train_by({"--settings", "table.json", "--system", system}, "again.mega");
      EXPECT_EQ(probabilities("again.mega"),
                probabilities(fmt::format("models/{}.mega", system)));
    }
  }
}

TEST_F(KeepCli, OptionsThatAreTypedGoBeforeTheSettings) {
  write("table.json", kept({"--test", "test.txt", "--systems", "mix,prior"}).dump());
  train_by({"--settings", "table.json", "-s", "mix", "--variance", "17", "--seed", "3"},
           "m.mega");
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["options"]["variance"], "17");
  EXPECT_EQ(info["seed"], 3);
}

// The members of a pool are fitted with their own settings, so a typed one would do nothing.
TEST_F(KeepCli, AnOptionThatTheMembersDecideIsRefused) {
  write("table.json",
        kept({"--test", "test.txt", "--systems", "mix,prior,easyadapt,pool"}).dump());
  const std::vector<std::string> pool = {"--settings", "table.json", "-s", "pool",
                                         "-o",         "m.mega",     "-q"};
  std::vector<std::string> typed = pool;
  typed.insert(typed.end(), {"--variance", "17"});
  expect_refused(with("train", typed), "--variance: the settings of pool have a value");
  typed = pool;
  typed.insert(typed.end(), {"--max-passes", "77"});
  output_of(with("train", typed));
}

TEST_F(KeepCli, SettingsThatCannotBeUsedAreRefused) {
  const auto train = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"-o", "m.mega"});
    return with("train", more);
  };
  write("table.json", kept({"--test", "test.txt", "--systems", "mix"}).dump());
  expect_refused(train({"--settings", "table.json", "-s", "prior"}),
                 "table.json: this comparison did not run prior");
  expect_refused(train({}), "--system is required");
  expect_refused(train({"--settings", "test.txt"}), "not the result of a comparison");
  write("table.json", R"({"systems": [], "best": ""})");
  expect_refused(train({"--settings", "table.json"}), "has no best system");
}

TEST_F(KeepCli, ABadPlaceIsToldBeforeTheWork) {
  expect_refused(with("compare", {"-o", "no/such/m.mega"}), "no/such/m.mega");
  expect_refused(with("compare", {"--keep", "test.txt"}), "cannot keep models there");
  expect_refused(with("compare", {"-o", "-", "--json"}), "both go to standard output");
}

TEST_F(CompareCli, FewTargetRows) {
  for (const char* few : {"sun warm1\n", "sun warm1\nrain wet1\n",
                          "sun warm1\nsun warm2\nsun warm3\nsun warm4\nrain wet2\n"}) {
    write("calls.txt", few);
    const auto table =
        json_of(with("compare", {"--test", "test.txt", "--systems", "onlyi,lini,prior,mixw",
                                 "--json", "--quiet"}));
    EXPECT_EQ(table["systems"].size(), 4u);
  }
  write("calls.txt", "sun warm1\n");
  expect_refused(with("compare", {"--folds", "5"}), "nothing can be held out");
}

TEST_F(CompareCli, BadUsageIsToldWithARemedy) {
  expect_refused(with("compare", {"--systems", "mix,megan"}), "did you mean 'megam'");
  expect_refused(with("compare", {"--test", "absent.txt"}), "absent.txt");
  expect_refused(with("compare", {"--test", "test.txt", "--folds", "3"}), "--folds");
  expect_refused(with("compare", {"--set", "varianz=1"}), "varianz");
  expect_refused(with("compare", {"--set", "variance"}), "NAME=VALUE");
  expect_refused(with("compare", {"--dev-fraction", "1"}), "--dev-fraction");
  expect_refused(with("tune", {"--system", "pirior"}), "did you mean 'prior'");
  expect_refused(with("tune", {"--system", "mix", "--criterion", "los"}), "log-loss");
  write("calls.txt", "sun warm1\nsun warm2\n");
  write("news.txt", "sun warm1\nsun warm3\n");
  expect_refused(with("tune", {"--system", "mix"}), "one label");
  expect_refused(with("compare", {}), "one label");
}

TEST_F(CompareCli, TuneShowsWhatItTriedAndWritesAModel) {
  const std::string out = output_of(
      with("tune", {"--system", "mixw", "--folds", "4", "-o", "m.mega", "--quiet"}));
  EXPECT_THAT(out, HasSubstr("variance  out-weight  log loss  accuracy %"));
  EXPECT_THAT(out, HasSubstr("\n*"));
  EXPECT_THAT(out,
              HasSubstr("chosen by log-loss on 4-fold cross-validation (16 rows held"));
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["system"], "mixw");
  EXPECT_TRUE(info["options"].contains("out-weight"));
  EXPECT_EQ(json_of({"eval", "m.mega", "test.txt", "--json"})["examples"], 30);
}

TEST_F(CompareCli, TuneAsJson) {
  const auto tuned = json_of(with("tune", {"--system", "prior", "--json", "--criterion",
                                           "accuracy", "--set", "source-variance=0.5"}));
  EXPECT_EQ(tuned["system"], "prior");
  EXPECT_EQ(tuned["criterion"], "accuracy");
  EXPECT_EQ(tuned["held_out"], 16);  // five folds hold out every row once
  EXPECT_TRUE(tuned["tuned"].contains("variance"));
  EXPECT_FALSE(tuned["tuned"].contains("source-variance"));
  EXPECT_GE(tuned["tried"].size(), 3u);
}

// The score of a trial is the score by which settings are chosen.
TEST_F(CompareCli, SettingsAreChosenByWhatSystemsAreRankedBy) {
  const auto scored_by = [&](const std::vector<std::string>& more) -> std::string {
    auto arguments = with("compare", {"--test", "test.txt", "--json", "--systems", "mix",
                                      "--tune-folds", "2"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto trial = json_of(arguments)["systems"][0]["tried"][0];
    for (const char* name : {"f1", "accuracy", "log_loss"}) {
      if (trial["score"] == trial[name]) return name;
    }
    return "none";
  };
  EXPECT_EQ(scored_by({}), "log_loss");
  EXPECT_EQ(scored_by({"--rank", "f1"}), "f1");
  EXPECT_EQ(scored_by({"--rank", "f1", "--criterion", "log-loss"}), "log_loss");
}

// --tune-folds has the same default in `tune`, `compare` and `curve`; `tune --folds` is an
// alias of it.
TEST_F(CompareCli, TuneUsesFiveFoldsUnlessToldOtherwise) {
  const auto trials = [&](const std::vector<std::string>& more) {
    auto arguments = with("tune", {"--system", "prior", "--json"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    auto tried = json_of(arguments)["tried"];
    for (auto& trial : tried) trial.erase("seconds");
    return tried;
  };
  EXPECT_EQ(trials({}), trials({"--tune-folds", "5"}));
  EXPECT_EQ(trials({"--folds", "3"}), trials({"--tune-folds", "3"}));
  EXPECT_NE(trials({"--folds", "3"}), trials({}));
  EXPECT_EQ(json_of(with("tune", {"--system", "mix", "--json", "--dev-fraction",
                                  "0.2"}))["held_out"],
            3);  // a fifth of 16
}

TEST_F(CompareCli, TestsOnAsManyFoldsAsItTunesOn) {
  const auto table = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--json", "--systems", "mix,prior"});
    return without_seconds(json_of(with("compare", more)))["systems"];
  };
  EXPECT_EQ(table({}), table({"--folds", "5"}));
  EXPECT_NE(table({}), table({"--folds", "4"}));
}

// The same rows and the same folds: what `compare` chose for its test rows, `tune` chooses.
TEST_F(CompareCli, TuneChoosesWhatCompareChose) {
  const std::vector<std::string> systems{"onlyi", "mix", "prior", "easyadapt"};
  const auto table = without_seconds(
      json_of(with("compare", {"--test", "test.txt", "--json", "--systems",
                               fmt::format("{}", fmt::join(systems, ","))})))["systems"];
  for (std::size_t s = 0; s < systems.size(); ++s) {
    auto alone = json_of(with("tune", {"--system", systems[s], "--json"}));
    for (auto& trial : alone["tried"]) trial.erase("seconds");
    EXPECT_EQ(table[s]["tuned"], alone["tuned"]) << systems[s];
    EXPECT_EQ(table[s]["tried"], alone["tried"]) << systems[s];
    EXPECT_EQ(table[s]["calibration"], alone["calibration"]) << systems[s];
  }
}

TEST_F(CompareCli, TuningTheStackTunesItsMembers) {
  const auto tuned = json_of(
      with("tune", {"--system", "stack", "--folds", "2", "--json", "-o", "stack.mega"}));
  double total = 0;
  for (const auto& member : tuned["members"]) total += member["weight"].get<double>();
  EXPECT_NEAR(total, 1, 1e-9);
  EXPECT_EQ(json_of({"eval", "stack.mega", "test.txt", "--json"})["examples"], 30);
}

TEST_F(CompareCli, ReportHoldsTheResultAndTheCommand) {
  const auto arguments =
      with("compare", {"--test", "test.txt", "--systems", "mix,megam", "--no-tuning",
                       "--quiet", "--report", "my page.html"});
  const std::string text = output_of(arguments);
  const std::string page = read("my page.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("--quiet --report 'my page.html'"));
  EXPECT_THAT(page, HasSubstr("\"explanations\":["));
  EXPECT_THAT(text, HasSubstr("megam"));
}

TEST_F(CompareCli, ReportThatCannotBeWrittenIsRefusedAtOnce) {
  expect_refused(with("compare", {"--test", "test.txt", "--report", "no/such/r.html"}),
                 "no/such/r.html");
}

}  // namespace
}  // namespace megadapt
