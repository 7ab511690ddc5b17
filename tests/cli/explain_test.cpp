#include <fmt/format.h>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

using nlohmann::json;

class Explain : public Cli {
 protected:
  static std::vector<json> lines_of(const std::string& text) {
    std::vector<json> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
};

double sum_of_terms(const json& part) {
  double total = part.value("intercept", 0.0);
  for (const json& term : part["contributions"]) {
    total += term["contribution"].get<double>();
  }
  return total;
}

TEST_F(Explain, TextShowsTheExpertsAndTheGate) {
  train_weather("megam");
  std::string text = output_of({"explain", "weather.mega", "calls.txt", "--row", "2"});
  // Rounding of numbers differs between builds; other tests check them.
  for (char& c : text) c = c >= '0' && c <= '9' ? '#' : c;
  expect_golden("cli/explain.txt", text);
}

TEST_F(Explain, JsonHasEveryRowAndAddsUp) {
  train_weather("megam");
  const auto rows = lines_of(output_of({"explain", "weather.mega", "news.txt", "--json"}));
  ASSERT_EQ(rows.size(), 5u);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n]["row"], n + 1);
    const json& gate = rows[n]["model"]["gate"];
    EXPECT_NEAR(sum_of_terms(gate), gate["log_odds"].get<double>(), 1e-9);
    for (const json& part : rows[n]["model"]["components"]) {
      EXPECT_NEAR(sum_of_terms(part), part["log_odds"].get<double>(), 1e-9);
    }
  }
  EXPECT_EQ(rows[4]["gold"], "sun");
}

TEST_F(Explain, AgreesWithPredict) {
  train_weather("stack");
  const auto rows = lines_of(output_of({"explain", "weather.mega", "news.txt", "--json"}));
  const auto plain = lines_of(output_of({"predict", "weather.mega", "news.txt", "--json"}));
  ASSERT_EQ(rows.size(), plain.size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n]["label"], plain[n]["label"]);
    EXPECT_EQ(rows[n]["probabilities"], plain[n]["probabilities"]);
  }
}

TEST_F(Explain, TheTableOfExamplesIsOneLinePerRow) {
  train_weather("megam");
  const std::string table = output_of({"explain", "weather.mega", "calls.txt", "--table"});
  EXPECT_THAT(table, StartsWith("row\tcontext\ttrue\thypothesis\tp\tgeneral\n"
                                "1\twarm dry\tsun\tsun\t0."));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 5);
}

TEST_F(Explain, OnlyWrongRowsOnRequest) {
  train_weather();
  write("mixed.txt", "sun\twarm dry\nrain\twarm dry\nsun\twarm bright\n");
  const std::string table =
      output_of({"explain", "weather.mega", "mixed.txt", "--table", "--wrong"});
  EXPECT_THAT(table, HasSubstr("\n2\twarm dry\train\tsun\t"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 2);
}

TEST_F(Explain, ReadsStandardInputAndUnlabelledRows) {
  train_weather();
  const auto rows = lines_of(output_of(
      {"explain", "weather.mega", "-", "-u", "--json", "--top", "1"}, "warm foggy\n"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["unseen"], json({"foggy"}));
  EXPECT_FALSE(rows[0].contains("gold"));
  EXPECT_EQ(rows[0]["model"]["contributions"].size(), 1u);
  EXPECT_EQ(rows[0]["model"]["omitted"]["features"], 1);
}

TEST_F(Explain, ALabelOfChoiceIsExplainedAgainstAnother) {
  train_weather();
  const auto rain = lines_of(output_of(
      {"explain", "weather.mega", "calls.txt", "--row", "1", "--label", "rain", "--json"}));
  ASSERT_EQ(rain.size(), 1u);
  EXPECT_EQ(rain[0]["label"], "rain");
  EXPECT_EQ(rain[0]["against"], "sun");
  EXPECT_LT(rain[0]["model"]["log_odds"], 0);
}

TEST_F(Explain, TokensAreExplainedWithThePreviousTag) {
  std::string text;
  for (int i = 0; i < 6; ++i) text += "the\tDET\ndog\tNOUN\nbites\tVERB\n\n";
  write("animals.conll", text);
  output_of({"train", "--quiet", "--task", "pos", "--system", "mix", "--domain",
             "all=animals.conll", "-o", "pos.mega"});
  const std::string input = "the\tDET\ndog\tVERB\nbites\tVERB\n\n";
  const auto rows = lines_of(output_of({"explain", "pos.mega", "-", "--json"}, input));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["previous"], "<s>");
  EXPECT_EQ(rows[1]["previous"], "DET");
  EXPECT_EQ(rows[1]["entity"], "dog");
  EXPECT_EQ(rows[1]["context"], "the [dog] bites");
  for (const json& row : rows) {
    EXPECT_NEAR(sum_of_terms(row["model"]), row["model"]["log_odds"].get<double>(), 1e-9);
  }
  const auto plain = lines_of(output_of({"predict", "pos.mega", "-", "--json"}, input));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(rows[n]["label"], plain[n]["label"]);
    EXPECT_EQ(rows[n]["probabilities"], plain[n]["probabilities"]);
  }
  EXPECT_THAT(output_of({"explain", "pos.mega", "-", "--table", "--wrong"}, input),
              StartsWith("row\tcontext\tentity\ttrue\thypothesis\tp\tgeneral\n"
                         "2\tthe [dog] bites\tdog\tVERB\tNOUN\t0."));
  const std::string one =
      output_of({"explain", "pos.mega", "-", "--row", "2", "--top", "99"}, input);
  EXPECT_THAT(one, StartsWith("row 2: the [dog] bites\n  as domain all: NOUN with"));
  EXPECT_THAT(one, HasSubstr("after DET: +"));
  EXPECT_THAT(one, HasSubstr("tag[-1]=DET"));
}

TEST_F(Explain, MarkedSpansAreShownInTheirSentence) {
  const auto span = [](const char* word, const char* label) {
    return fmt::format(
        R"({{"id": "{0}", "tokens": ["we", "saw", "{0}", "here"], "start": 2, "end": 2, "label": "{1}"}})"
        "\n",
        word, label);
  };
  std::string text;
  for (int i = 0; i < 5; ++i) text += span("Ann", "person") + span("Rome", "place");
  write("spans.jsonl", text);
  output_of({"train", "--quiet", "--task", "mention-type", "--system", "mix", "--domain",
             "all=spans.jsonl", "-o", "type.mega"});
  const auto rows =
      lines_of(output_of({"explain", "type.mega", "-", "--json", "--row", "2"},
                         span("Ann", "person") + span("Rome", "person")));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["id"], "Rome");
  EXPECT_EQ(rows[0]["label"], "place");
  EXPECT_EQ(rows[0]["gold"], "person");
  EXPECT_EQ(rows[0]["context"], "we saw [Rome] here");
  EXPECT_FALSE(rows[0].contains("previous"));
}

TEST_F(Explain, NamesTheRemedyForAMissingRowOrLabel) {
  train_weather();
  const CommandResult row = run({"explain", "weather.mega", "calls.txt", "--row", "9"});
  EXPECT_EQ(row.exit_code, 2);
  EXPECT_THAT(row.err, HasSubstr("--row 9: calls.txt has 4 rows"));
  const CommandResult label =
      run({"explain", "weather.mega", "calls.txt", "--label", "rian"});
  EXPECT_EQ(label.exit_code, 2);
  EXPECT_THAT(label.err, HasSubstr("did you mean 'rain'?"));
}

}  // namespace
}  // namespace megadapt
