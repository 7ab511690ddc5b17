// Files made to crash, hang or deceive. Each is refused with a clear message, or shown
// without harm.

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class HostileFiles : public Cli {
 protected:
  // Deep enough to exhaust the stack of code that calls itself for each level.
  static std::string nested() { return std::string(75000, '[') + std::string(75000, ']'); }

  void expect_refused(const std::vector<std::string>& arguments, int code = 2) const {
    const CommandResult result = run(arguments);
    EXPECT_EQ(result.exit_code, code) << arguments[0];
    EXPECT_THAT(result.err, HasSubstr("\nfix: ")) << arguments[0];
  }

  // Replaces a line of the model's text form that begins with `from`.
  void change_model(const std::string& from, const std::string& to) const {
    output_of({"model", "export", "weather.mega", "-o", "m.txt"});
    std::string text = read("m.txt");
    const std::size_t begin = text.find("\n" + from);
    ASSERT_NE(begin, text.npos) << from;
    text.replace(begin + 1, text.find('\n', begin + 1) - begin - 1, to);
    write("m.txt", text);
  }
};

TEST_F(HostileFiles, DeepJsonIsRefusedEverywhere) {
  train_weather();
  write("result.json", "{\"systems\": " + nested() + "}");
  write("rows.jsonl",
        "{\"label\": \"a\", \"x\": " + nested() + ", \"features\": [\"b\"]}\n");
  write("tokens.jsonl", "{\"tokens\": " + nested() + ", \"tags\": [\"b\"]}\n");
  expect_refused({"report", "result.json", "-o", "page.html"});
  expect_refused({"compare", "--settings", "result.json", "-d", "a=calls.txt", "-d",
                  "b=news.txt", "-t", "a"});
  expect_refused({"convert", "rows.jsonl", "--to", "megam"});
  expect_refused(
      {"train", "-s", "mix", "--task", "pos", "-d", "d=tokens.jsonl", "-o", "m"});
  EXPECT_EQ(read("calls.txt"), calls());
}

TEST_F(HostileFiles, NumbersThatFitNoDoubleAreRefused) {
  write("result.json", "{\"systems\": [1e999]}");
  expect_refused({"report", "result.json", "-o", "page.html"});
}

TEST_F(HostileFiles, DeepJsonInAModelIsRefusedOrLeftOut) {
  train_weather();
  output_of({"eval", "--store", "weather.mega", "calls.txt", "-o", "/dev/null"});
  change_model("{\"examples\"", "{\"examples\": " + nested() + "}");
  EXPECT_EQ(run({"model", "import", "m.txt", "-o", "deep.mega"}).exit_code, 0);
  EXPECT_THAT(output_of({"inspect", "deep.mega"}), HasSubstr("does not know"));
  EXPECT_EQ(json_of({"inspect", "deep.mega", "--json"})["evaluation"],
            nlohmann::json::object());
  change_model(" \"seed\"", "\"seed\": " + nested() + ",");
  EXPECT_NE(run({"model", "import", "m.txt", "-o", "other.mega"}).exit_code, 0);
  EXPECT_THAT(files(), Not(testing::Contains("other.mega")));
}

TEST_F(HostileFiles, NamesCannotSteerTheTerminal) {
  write("rows.jsonl",
        "{\"label\": \"a\", \"features\": [\"\\u001b[31mred\", \"\\u009b2J\"]}\n"
        "{\"label\": \"b\", \"features\": [\"bell\\u0007\"]}\n");
  output_of({"train", "-q", "-s", "mix", "-d", "d=rows.jsonl", "-o", "m.mega"});
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"inspect", "m.mega"},
                                             {"model", "info", "m.mega"},
                                             {"explain", "m.mega", "rows.jsonl"},
                                             {"eval", "m.mega", "rows.jsonl"}}) {
    const std::string shown = output_of(arguments);
    EXPECT_EQ(shown.find('\x1b'), shown.npos) << arguments[0];
    EXPECT_EQ(shown.find('\a'), shown.npos) << arguments[0];
    EXPECT_EQ(shown.find("\xc2\x9b"), shown.npos) << arguments[0];
  }
  EXPECT_THAT(output_of({"inspect", "m.mega"}), HasSubstr("\\x1b[31mred"));
  const CommandResult refused =
      run({"predict", "m.mega", "rows.jsonl", "--as-domain", "\x1b"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err.find('\x1b'), refused.err.npos);
}

}  // namespace
}  // namespace megadapt
