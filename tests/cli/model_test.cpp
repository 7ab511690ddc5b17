#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class ModelCommand : public Cli {
 protected:
  ModelCommand() { train_weather(); }
};

TEST_F(ModelCommand, InfoHasTheAgreedFields) {
  const auto info = json_of({"model", "info", "weather.mega", "--json"});
  EXPECT_EQ(info["version"], 1);
  EXPECT_EQ(info["system"], "mix");
  EXPECT_EQ(info["task"], "");
  EXPECT_EQ(info["target"], "calls");
  EXPECT_EQ(info["domains"]["news"]["examples"], 5);
  EXPECT_TRUE(info["domains"]["news"]["general_share"].is_null());
  EXPECT_EQ(info["labels"], (nlohmann::json{"sun", "rain"}));
  EXPECT_EQ(info["features"], 7);
  EXPECT_EQ(info["options"]["variance"], "1");
  EXPECT_THAT(info["created_by"], StartsWith("megadapt "));
  ASSERT_EQ(info["data"].size(), 2u);
  EXPECT_EQ(info["data"][0]["file"], "news.txt");
  EXPECT_EQ(info["data"][0]["rows"], 5);
  EXPECT_EQ(info["data"][0]["sha256"].get<std::string>().size(), 64u);
}

TEST_F(ModelCommand, InfoIsReadableToo) {
  const std::string text = output_of({"model", "info", "weather.mega"});
  EXPECT_THAT(text, HasSubstr("labels      2: sun rain\n"));
  EXPECT_THAT(text, HasSubstr("  calls  4 examples  (target)\n"));
}

TEST_F(ModelCommand, ExportAndImportGiveTheSameBytes) {
  output_of({"model", "export", "weather.mega", "-o", "weather.text"});
  EXPECT_EQ(output_of({"model", "export", "weather.mega"}), read("weather.text"));
  output_of({"model", "import", "weather.text", "-o", "again.mega"});
  EXPECT_EQ(read("again.mega"), read("weather.mega"));
  output_of({"model", "import", "-", "-o", "piped.mega"}, read("weather.text"));
  EXPECT_EQ(read("piped.mega"), read("weather.mega"));
}

TEST_F(ModelCommand, VerifyListsIntactSections) {
  EXPECT_THAT(output_of({"model", "verify", "weather.mega"}), HasSubstr("intact   text"));
  for (const auto& section : json_of({"model", "verify", "weather.mega", "--json"})) {
    EXPECT_EQ(section["intact"], true) << section["name"];
  }
}

TEST_F(ModelCommand, DamageIsFoundByEveryCommandThatLoads) {
  std::string bytes = read("weather.mega");
  bytes[bytes.size() - 10] ^= 0x10;
  write("damaged.mega", bytes);
  const std::vector<std::vector<std::string>> commands{
      {"predict", "damaged.mega", "calls.txt"},
      {"eval", "damaged.mega", "calls.txt"},
      {"inspect", "damaged.mega"},
      {"model", "info", "damaged.mega"},
      {"model", "verify", "damaged.mega"},
      {"model", "export", "damaged.mega"}};
  for (const auto& arguments : commands) {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 3) << arguments[0];
    EXPECT_THAT(result.err, StartsWith("error: ")) << arguments[0];
    EXPECT_THAT(result.err, HasSubstr("\nfix: ")) << arguments[0];
  }
  EXPECT_EQ(run({"model", "info", "damaged.mega", "--no-verify"}).exit_code, 0);
}

TEST_F(ModelCommand, TruncatedForeignAndEmptyFilesEndWithThree) {
  const std::string bytes = read("weather.mega");
  write("short.mega", bytes.substr(0, bytes.size() / 2));
  write("foreign.mega", calls());
  write("empty.mega", "");
  for (const std::string name : {"short.mega", "foreign.mega", "empty.mega"}) {
    const CommandResult result = run({"predict", name, "calls.txt"});
    EXPECT_EQ(result.exit_code, 3) << name;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("error: " + name)) << name;
  }
}

TEST_F(ModelCommand, AMissingOrUnreadableModelEndsWithTwo) {
  EXPECT_EQ(run({"model", "info", "none.mega"}).exit_code, 2);
  EXPECT_EQ(run({"model", "info", "."}).exit_code, 2);
  EXPECT_EQ(run({"model", "import", "none.text", "-o", "x.mega"}).exit_code, 2);
}

TEST_F(ModelCommand, ABrokenTextIsRefusedAndLeavesNothing) {
  const std::string text = output_of({"model", "export", "weather.mega"});
  write("broken.text", text.substr(0, text.size() - 40));
  const CommandResult result = run({"model", "import", "broken.text", "-o", "broken.mega"});
  EXPECT_THAT(result.exit_code, testing::AnyOf(2, 3));
  EXPECT_FALSE(std::filesystem::exists(folder() + "/broken.mega"));
}

}  // namespace
}  // namespace megadapt
