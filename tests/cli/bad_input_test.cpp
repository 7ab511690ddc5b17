// Common mistakes of users. Each gets a message with a place and a remedy and exit code 2,
// and leaves no files behind.

#include <fmt/format.h>

#include <utility>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

struct BadRows {
  std::string name;
  std::string rows;
  std::string problem;
  std::vector<std::string> more;
};

std::string good(const std::string& row) { return "a\tx y\nb\ty z\n" + row + "\n"; }

class BadInput : public Cli {};
class BadRowsTest : public BadInput, public testing::WithParamInterface<BadRows> {};

TEST_P(BadRowsTest, IsRefusedWithARemedyAndNoOutput) {
  write("rows.txt", GetParam().rows);
  std::vector<std::string> arguments{"train",      "--system", "mix",   "-d",
                                     "d=rows.txt", "-o",       "m.mega"};
  arguments.insert(arguments.end(), GetParam().more.begin(), GetParam().more.end());
  const CommandResult result = run(arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("error: "));
  EXPECT_THAT(result.err, HasSubstr(GetParam().problem));
  EXPECT_THAT(result.err, HasSubstr("\nfix: "));
  EXPECT_LE(std::count(result.err.begin(), result.err.end(), '\n'), 3);
  EXPECT_EQ(files(), (std::vector<std::string>{"rows.txt"}));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadRowsTest,
    testing::Values(
        BadRows{"Empty", "", "rows.txt: ", {}},
        BadRows{"OnlyBlankLines", "\n\n", "rows.txt: ", {}},
        BadRows{"MissingLabel", good("\tx y"), "rows.txt:3: no label", {}},
        BadRows{"OneLabelOnly", "a\tx\na\ty\n", "all rows have one label, 'a'", {}},
        BadRows{"NamelessFeature",
                "1 1:1\n2 2:1\n1 :2\n",
                "rows.txt:3: ':2' has no feature",
                {"--format", "libsvm"}},
        BadRows{"NamelessJsonFeature",
                "{\"label\":\"a\",\"features\":[\"x\"]}\n{\"label\":\"b\",\"features\":["
                "\"\"]}\n",
                "rows.txt:2: ",
                {}},
        BadRows{"NotANumber",
                "a\tx 1\nb\tx nan\n",
                "rows.txt:2: the value 'nan'",
                {"--format", "megam-fvals"}},
        BadRows{"Infinite",
                "a\tx 1\nb\tx inf\n",
                "rows.txt:2: the value 'inf'",
                {"--format", "megam-fvals"}},
        BadRows{"TooLarge",
                "a\tx 1\nb\tx 1e400\n",
                "rows.txt:2: the value '1e400'",
                {"--format", "megam-fvals"}},
        BadRows{
            "NegativeWeight", good("a\t$$$WEIGHT -1 x"), "rows.txt:3: the weight '-1'", {}},
        BadRows{"InvalidUtf8", good("a\t\xff\xfe"), "rows.txt:3: byte", {}},
        BadRows{"NoWeightAtAll",
                "a\t$$$WEIGHT 0 x\nb\t$$$WEIGHT 0 y\n",
                "every row has weight 0",
                {}}),
    [](const auto& test) { return test.param.name; });

TEST_F(BadInput, AMissingFileGetsASuggestion) {
  write("rows.txt", calls());
  const CommandResult result =
      run({"train", "--system", "mix", "-d", "d=row.txt", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'rows.txt'?"));
}

TEST_F(BadInput, TheSameFileTwiceIsAMistakeByAnyName) {
  write("rows.txt", calls());
  std::filesystem::create_symlink("rows.txt", folder() + "/link.txt");
  for (const std::string again : {"rows.txt", "./rows.txt", "link.txt"}) {
    const CommandResult result = run({"train", "--system", "mix", "-d", "a=rows.txt", "-d",
                                      "b=" + again, "-t", "a", "-o", "m.mega"});
    EXPECT_EQ(result.exit_code, 2) << again;
    EXPECT_THAT(result.err, HasSubstr("given twice")) << again;
  }
}

TEST_F(BadInput, ATargetNeedsRowsOfItsOwn) {
  write("rows.jsonl",
        "{\"label\":\"a\",\"features\":[\"x\"],\"domain\":\"p\"}\n"
        "{\"label\":\"b\",\"features\":[\"y\"],\"domain\":\"p\"}\n");
  const CommandResult result =
      run({"train", "--system", "mix", "-d", "q=rows.jsonl", "-t", "q", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--target q: no row is of this domain\n"
                                    "fix: the domains are p"));
}

TEST_F(BadInput, ADirectoryIsNoFile) {
  std::filesystem::create_directory(folder() + "/rows");
  const CommandResult result =
      run({"train", "--system", "mix", "-d", "d=rows", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("rows: is a directory"));
}

// The same mistakes for a model of text that reads labelled and unlabelled rows.
TEST_F(BadInput, TablesThatCannotBeReadAreRefusedByEveryCommand) {
  write("good.csv", "label,text\npos,Great film\nneg,Awful plot\n");
  output_of({"train", "-q", "--system", "mix", "-d", "a=good.csv", "-o", "m.mega"});
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"", "rows.csv: is empty"},
      {"label,text\n", "rows.csv: has no rows"},
      {"\n\n", "rows.csv: has no rows"},
      {"stars\n5\n", "rows.csv:1: no column is called"},
      {"stars;text\n5;Great\n", "rows.csv:1: the columns are separated by ';'"},
      {"sep=;\nlabel;text\npos;Great\n", "rows.csv:1: this line is not the header"},
      {"label,text\npos,\"Great\nneg,Awful\n", "rows.csv:2: a quote that opens here"},
      {"label,text\npos,a,b\n", "rows.csv:2: 3 fields"},
      {"label,text,text\npos,a,b\n", "rows.csv:1: two columns are called 'text'"},
      {"label,text\npos,a\xff\n", "rows.csv:2: byte"}};
  for (const auto& [rows, problem] : mistakes) {
    write("rows.csv", rows);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"train", "--system", "mix", "-d", "a=rows.csv", "-o",
                                   "n.mega"},
          {"predict", "m.mega", "rows.csv"},
          {"predict", "m.mega", "rows.csv", "-u"},
          {"explain", "m.mega", "rows.csv"},
          {"eval", "m.mega", "rows.csv"},
          {"compare", "-d", "a=rows.csv"}}) {
      const CommandResult result = run(command);
      EXPECT_EQ(result.exit_code, 2) << command[0] << ": " << rows;
      EXPECT_THAT(result.err, StartsWith("error: ")) << rows;
      EXPECT_THAT(result.err, HasSubstr(problem)) << command[0] << ": " << rows;
      EXPECT_THAT(result.err, HasSubstr("\nfix: ")) << rows;
    }
  }
}

TEST_F(BadInput, AFullDiskExitsWithFive) {
  write("rows.txt", calls());
  const CommandResult result =
      run({"train", "--system", "mix", "-d", "d=rows.txt", "-o", "/dev/full"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, StartsWith("error: /dev/full: cannot write"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  EXPECT_EQ(files(), (std::vector<std::string>{"rows.txt"}));
}

// Unusual input that is valid.
TEST_F(BadInput, LineEndsAndByteOrderMarksAreNoTrouble) {
  write("plain.txt", calls());
  std::string windows = "\xef\xbb\xbf";
  for (const char c : calls())
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  write("windows.txt", windows);
  for (const std::string name : {"plain", "windows"}) {
    output_of({"train", "-q", "--system", "mix", "-d", "d=" + name + ".txt", "-o", name});
  }
  EXPECT_EQ(output_of({"predict", "windows", "plain.txt", "--json"}),
            output_of({"predict", "plain", "windows.txt", "--json"}));
  EXPECT_EQ(json_of({"model", "info", "windows", "--json"})["labels"],
            (nlohmann::json{"sun", "rain"}));
}

TEST_F(BadInput, ALineOfTenMegabytesIsARow) {
  std::string line = "sun\t";
  while (line.size() < 10'000'000) line += fmt::format("w{} ", line.size());
  write("rows.txt", calls() + line + "\n");
  output_of({"train", "-q", "--system", "mix", "-d", "d=rows.txt", "-o", "m.mega"});
  EXPECT_EQ(json_of({"model", "info", "m.mega", "--json"})["domains"]["d"]["examples"], 5);
  EXPECT_EQ(output_of({"predict", "m.mega", "rows.txt"}), "sun\nsun\nrain\nrain\nsun\n");
}

}  // namespace
}  // namespace megadapt
