#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class ManPage : public Cli {};

TEST_F(ManPage, DescribesEveryCommandAndOption) {
  const std::string page = output_of({"--generate-man"});
  EXPECT_THAT(page, StartsWith(".Dd "));
  for (const std::string command :
       {"train", "predict", "eval", "inspect", "convert", "model info", "model import"}) {
    EXPECT_THAT(page, HasSubstr(".Ss megadapt " + command + " [OPTIONS]"));
  }
  for (const std::string option :
       {"\\-\\-variance", "\\-\\-threads", "\\-\\-no\\-verify"}) {
    EXPECT_THAT(page, HasSubstr(option));
  }
  EXPECT_THAT(page, Not(HasSubstr("generate")));
}

TEST_F(ManPage, IsCleanForMandoc) {
  write("megadapt.1", output_of({"--generate-man"}));
  const CommandResult lint = testing_support::run_command(
      {"mandoc", "-T", "lint", "-W", "error", "megadapt.1"}, folder());
  EXPECT_EQ(lint.exit_code, 0) << lint.out << lint.err;
}

}  // namespace
}  // namespace megadapt
