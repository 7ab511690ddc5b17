#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class ManPages : public Cli {
 protected:
  ManPages() { output_of({"--generate-man", "."}); }
};

TEST_F(ManPages, EveryCommandHasOne) {
  const std::string overview = read("megadapt.1");
  for (const std::string command : {"train", "predict", "eval", "tag", "recap", "compare",
                                    "inspect", "convert", "model", "data"}) {
    EXPECT_THAT(overview, HasSubstr(".Xr megadapt\\-" + command + " 1"));
    const std::string page = read("megadapt-" + command + ".1");
    EXPECT_THAT(page, StartsWith(".Dd "));
    EXPECT_THAT(page, HasSubstr(".Nm megadapt " + command + " ")) << "in the synopsis";
    EXPECT_THAT(page, HasSubstr("\\-\\-threads"));
    EXPECT_THAT(page, Not(HasSubstr("generate")));
  }
}

TEST_F(ManPages, DescribeEveryOption) {
  EXPECT_THAT(read("megadapt-train.1"), HasSubstr("\\-\\-variance"));
  EXPECT_THAT(read("megadapt-predict.1"), HasSubstr("\\-\\-no\\-verify"));
  const std::string model = read("megadapt-model.1");
  for (const std::string command : {"info", "import"}) {
    EXPECT_THAT(model, HasSubstr(".Sh megadapt model " + command + " [OPTIONS]"));
  }
}

TEST_F(ManPages, AreCleanForMandoc) {
  for (const std::string& page : files()) {
    const CommandResult lint = testing_support::run_command(
        {"mandoc", "-T", "lint", "-W", "error", page}, folder());
    EXPECT_EQ(lint.exit_code, 0) << page << "\n" << lint.out << lint.err;
  }
}

}  // namespace
}  // namespace megadapt
