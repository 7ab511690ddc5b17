// Every option of the table, given to several commands.
#include "cli/cli_fixture.hpp"
#include "dataset/recipe_options.hpp"
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
    if (option.name == "class-weight") return "balanced";
    if (option.name == "e-step") return "crossfit:2";
    if (option.name == "pi-init") return "0.25";
    if (option.name == "unlabelled-weight") return "0";  // others need unlabelled rows
    const std::vector<std::string> usual = option.field.print({});
    const std::vector<std::string>& choices = option.field.choices;
    // Begin with the last choice: the first one may be the default of a system that has its
    // own.
    for (auto choice = choices.rbegin(); choice != choices.rend(); ++choice) {
      if (usual.empty() || usual[0] != *choice) return *choice;
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

// The name of a part of --resume depends on the options that the system reads.
TEST_F(TableCli, EveryOptionGivesAnotherPart) {
  const auto parts_after = [&](const std::string& system,
                               const std::vector<std::string>& more) {
    output_of(with({"compare", "--systems", system, "--no-tuning", "--test", "calls.txt",
                    "--resume", "parts"},
                   more));
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder() + "/parts")) {
      count += file.path().extension() == ".part";
    }
    return count;
  };
  for (const auto& option : option_table()) {
    SCOPED_TRACE(option.name);
    const std::string system = reader(option.name);
    const std::vector<std::string> set{"--set", option.name + "=" + other_value(option)};
    const std::size_t before = parts_after(system, {});
    EXPECT_EQ(parts_after(system, set), before + 1);
    EXPECT_EQ(parts_after(system, set), before + 1);  // found again
  }
}

TEST_F(TableCli, EveryOptionOfMegamIsInTheFingerprintOfItsCheckpoint) {
  const auto train = [&](const std::vector<std::string>& more) {
    return run(
        with({"train", "-s", "megam", "-o", "m.mega", "--checkpoint", "c.mega"}, more));
  };
  ASSERT_EQ(train({}).exit_code, 0);
  for (const auto& option : option_table()) {
    SCOPED_TRACE(option.name);
    const auto& reads = find_system("megam").traits().reads;
    if (std::find(reads.begin(), reads.end(), option.name) == reads.end()) continue;
    const CommandResult changed = train({"--" + option.name, other_value(option)});
    EXPECT_EQ(changed.exit_code, 2);
    EXPECT_THAT(changed.err, HasSubstr("c.mega"));
  }
  EXPECT_EQ(train({}).exit_code, 0);
}

class RecipeCli : public TableCli {
 protected:
  RecipeCli() {
    write("map.txt", "sun\tsun\n");
    write("features.txt", "w lower\n");
    write("cities.txt", "Rome\n");
    write("classes.tsv", "Rome\tplace\n");
    write("vectors.txt", "a 1 0\nb 0 1\nc 1 1\n");
    const std::string tagged = "in\tO\nRome\tB-X\n\nshe\tB-X\nspoke\tO\n\n";
    write("calls.conll", tagged + tagged);
    write("news.conll", tagged);
    write("table.csv",
          "label,kind,text,words,who,name,count,domain,place\n"
          "sun,sun,warm,warm,a,first,1,calls,calls\n"
          "rain,rain,cold,cold,b,second,2,calls,calls\n");
  }
  std::vector<std::string> training(const Option<RecipeOptions>& option,
                                    std::vector<std::string> more) const {
    std::vector<std::string> arguments{"train", "-s", "mix", "-o", "m.mega"};
    if (option.group.starts_with("Columns")) {
      arguments.insert(arguments.end(), {"-d", "all=table.csv", "-t", "calls", "-q"});
      arguments.insert(arguments.end(), more.begin(), more.end());
      return arguments;
    }
    if (option.group != "Task" && option.group != "Words") return with(arguments, more);
    arguments.insert(arguments.end(), {"-d", "news=news.conll", "-d", "calls=calls.conll",
                                       "-t", "calls", "-q"});
    if (option.name != "task") arguments.insert(arguments.end(), {"--task", "mention"});
    if (option.name == "word-vectors") more.insert(more.end(), {"--vector-classes", "2"});
    if (option.name == "vector-classes") {
      more.insert(more.end(), {"--word-vectors", "vectors.txt"});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(RecipeCli, EveryOptionIsTakenAndRecorded) {
  const std::map<std::string, std::string> values = {{"format", "megam"},
                                                     {"domain-column", "place"},
                                                     {"label-column", "kind"},
                                                     {"text-column", "words"},
                                                     {"group-column", "who"},
                                                     {"id-column", "name"},
                                                     {"weight-column", "count"},
                                                     {"number-columns", "count"},
                                                     {"category-columns", "who"},
                                                     {"text-weights", "tfidf"},
                                                     {"map-labels", "map.txt"},
                                                     {"min-count", "2"},
                                                     {"hash-bits", "7"},
                                                     {"bin", "3"},
                                                     {"word-ngrams", "2"},
                                                     {"char-ngrams", "4"},
                                                     {"lower-case", "false"},
                                                     {"bias", "false"},
                                                     {"task", "mention"},
                                                     {"features", "features.txt"},
                                                     {"gazetteer", "cities=cities.txt"},
                                                     {"word-classes", "classes.tsv"},
                                                     {"word-vectors", "vectors.txt"},
                                                     {"vector-classes", "2,3"},
                                                     {"columns", "token,tag"},
                                                     {"scheme", "iob2"},
                                                     {"language", "none"},
                                                     {"skip-bad-lines", "true"}};
  for (const auto& option : recipe_table()) {
    SCOPED_TRACE(option.name);
    ASSERT_TRUE(values.contains(option.name)) << "give it a value in this test";
    const std::string& value = values.at(option.name);
    const bool is_flag = option.field.type == "bool";
    const std::string flag = (value == "false" ? "--no-" : "--") + option.name;
    output_of(training(option, is_flag ? std::vector{flag} : std::vector{flag, value}));
    const auto found = recorded("m.mega");
    ASSERT_TRUE(found.contains(option.name)) << found;
    EXPECT_EQ(found[option.name], value);
  }
}

TEST_F(RecipeCli, BadValuesAreRefused) {
  for (const auto& option : recipe_table()) {
    SCOPED_TRACE(option.name);
    if (option.field.type != "int" && option.field.choices.empty()) continue;
    const CommandResult result = run(training(option, {"--" + option.name, "1e999"}));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, StartsWith("error: --" + option.name + ": '1e999' is not "));
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
              HasSubstr("by log-loss on 5-fold cross-validation"));
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
