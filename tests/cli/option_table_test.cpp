// Every option of the table, given to several commands.
#include "cli/cli_fixture.hpp"
#include "systems/options.hpp"

namespace megadapt {
namespace {

class TableCli : public Cli {
 protected:
  TableCli() {
    write("calls.txt", calls() + calls());
    write("news.txt", news());
  }
  std::vector<std::string> with(std::vector<std::string> arguments,
                                const std::vector<std::string>& more) const {
    arguments.insert(arguments.end(),
                     {"-d", "news=news.txt", "-d", "calls=calls.txt", "-t", "calls", "-q"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  nlohmann::json recorded(const std::string& model) const {
    return json_of({"model", "info", model, "--json"})["options"];
  }
  // Returns a system that reads the option, but no combination.
  static std::string reader(const std::string& option) {
    for (const System* system : systems()) {
      for (const std::string& name : system->traits().reads) {
        if (name == option && system->members().empty()) return system->name();
      }
    }
    ADD_FAILURE() << option << " is read by nobody";
    return "mix";
  }
  // Returns a valid value of the option that is not its default.
  static std::string other_value(const Option<Options>& option) {
    if (option.name == "beta") return "1,3";
    if (option.name == "e-step") return "crossfit:2";
    if (option.name == "pi-init") return "0.25";
    const std::vector<std::string> usual = option.field.print({});
    for (const std::string& choice : option.field.choices) {
      if (usual.empty() || usual[0] != choice) return choice;
    }
    for (const char* number : {"2", "3", "0.5"}) {
      Options options;
      try {
        set_option(options, option.name, number);
      } catch (const UsageError&) {
        continue;
      }
      if (!(options == Options())) return number;
    }
    ADD_FAILURE() << option.name;
    return "1";
  }
};

// The model records the value, whichever command set it.
TEST_F(TableCli, EveryOptionIsTakenAndRecorded) {
  for (const auto& option : option_table()) {
    SCOPED_TRACE(option.name);
    const std::string value = other_value(option);
    const std::string system = reader(option.name);
    output_of(with({"train", "-s", system, "-o", "a.mega"}, {"--" + option.name, value}));
    const auto trained = recorded("a.mega");
    ASSERT_TRUE(trained.contains(option.name)) << trained;
    EXPECT_THAT(trained[option.name].dump(), HasSubstr(value));
    output_of(
        with({"tune", "-s", system, "-o", "b.mega"}, {"--set", option.name + "=" + value}));
    const auto tuned = recorded("b.mega");
    ASSERT_TRUE(tuned.contains(option.name)) << tuned;
    EXPECT_EQ(tuned[option.name], trained[option.name]);
  }
}

TEST_F(TableCli, BadValuesAreRefusedInTheSameWords) {
  for (const auto& option : option_table()) {
    SCOPED_TRACE(option.name);
    const std::string system = reader(option.name);
    const CommandResult train =
        run(with({"train", "-s", system, "-o", "m.mega"}, {"--" + option.name, "1e999"}));
    const CommandResult tune =
        run(with({"tune", "-s", system}, {"--set", option.name + "=1e999"}));
    EXPECT_EQ(train.exit_code, 2);
    EXPECT_EQ(tune.exit_code, 2);
    EXPECT_THAT(train.err, StartsWith("error: --" + option.name + ": '1e999' is not "));
    EXPECT_EQ(train.err, tune.err);
  }
}

// 0 used to mean the default, but only on the command line.
TEST_F(TableCli, ZeroIsNoDefault) {
  for (const std::string name : {"specific-variance", "source-variance", "out-weight"}) {
    const CommandResult train =
        run(with({"train", "-s", "mix", "-o", "m.mega"}, {"--" + name, "0"}));
    const CommandResult tune = run(with({"tune", "-s", "mix"}, {"--set", name + "=0"}));
    EXPECT_EQ(train.exit_code, 2);
    EXPECT_THAT(train.err, HasSubstr("or leave it out"));
    EXPECT_EQ(train.err, tune.err);
  }
}

TEST_F(TableCli, NothingThatWasUsedIsLeftOutOfTheRecord) {
  output_of(with({"tune", "-s", "megam", "-o", "m.mega"},
                 {"--set", "rounds=2", "--set", "gate=logistic", "--max-passes", "77"}));
  auto options = recorded("m.mega");
  EXPECT_EQ(options["rounds"], "2");
  EXPECT_EQ(options["gate"], "logistic");
  EXPECT_EQ(options["max-passes"], "77");
  EXPECT_TRUE(options.contains("variance"));
  EXPECT_THAT(options["tuned"].get<std::string>(),
              HasSubstr("by log-loss on a random 20%"));
  output_of(with({"train", "-s", "stack", "-o", "m.mega"}, {"--rounds", "2"}));
  options = recorded("m.mega");
  EXPECT_EQ(options["rounds"], "2");
  EXPECT_EQ(options["folds"], "5");
}

// A stack can be refitted from the table of a comparison, with the same bits.
TEST_F(TableCli, TheWeightsOfAStackAreExact) {
  const auto compared = [&](const std::vector<std::string>& more) {
    auto arguments =
        with({"compare"}, {"--test", "calls.txt", "--systems", "all", "--json"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json_of(arguments);
  };
  const nlohmann::json table = compared({"--tune-folds", "2"});
  write("table.json", table.dump());
  const nlohmann::json again = compared({"--settings", "table.json"});
  const nlohmann::json& stack = table["systems"].back();
  ASSERT_EQ(stack["name"], "stack");
  double total = 0;
  for (const auto& [member, weight] : stack["tuned"].items()) total += weight.get<double>();
  EXPECT_NEAR(total, 1, 1e-2);
  EXPECT_EQ(again["systems"].back()["tuned"], stack["tuned"]);
  EXPECT_EQ(again["systems"].back()["log_loss"], stack["log_loss"]);
}

}  // namespace
}  // namespace megadapt
