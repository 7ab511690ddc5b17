#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

constexpr const char* kStoredResult =
    R"({"verdict": "Use mix.", "best": "mix", "systems": [{"name": "mix", "accuracy": 0.8,)"
    R"( "log_loss": 0.4}]})";

TEST_F(Cli, ReportWritesOnePage) {
  write("r.json", kStoredResult);
  EXPECT_EQ(output_of({"report", "r.json", "-o", "r.html"}), "");
  const std::string page = read("r.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("Use mix."));
  EXPECT_EQ(output_of({"report", "-"}, kStoredResult), page);
}

TEST_F(Cli, ReportRefusesOtherFilesAndLeavesNoPage) {
  write("rows.txt", "good a b\n");
  const CommandResult result = run({"report", "rows.txt", "-o", "r.html"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("rows.txt:1: this is not JSON"));
  EXPECT_THAT(result.err, HasSubstr("fix: "));
  EXPECT_FALSE(std::filesystem::exists(folder() + "/r.html"));
  EXPECT_EQ(run({"report", "missing.json"}).exit_code, 2);
}

}  // namespace
}  // namespace megadapt
