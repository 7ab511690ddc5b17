#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

std::vector<nlohmann::json> lines_of_json(const std::string& text) {
  std::vector<nlohmann::json> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(nlohmann::json::parse(line));
  }
  return rows;
}

/// A model of texts about weather, and texts without labels.
class Next : public Cli {
 protected:
  Next() {
    write("news.csv",
          "label,text\nsun,dry and bright\nsun,warm day\nrain,dark and cold\nrain,wet\n");
    write("calls.csv", "label,text\nsun,warm and dry\nrain,cold and wet\n");
    write("new.txt", "warm day\nwarm but wet\ncold and dark\nwarm but wet\nfog at sea\n");
    output_of({"train", "--quiet", "-s", "megam", "-d", "news=news.csv", "-d",
               "calls=calls.csv", "-t", "calls", "-o", "m.mega"});
  }
};

TEST_F(Next, PrintsRowsWithScoresAndReasons) {
  const auto rows = lines_of_json(output_of({"next", "m.mega", "new.txt", "--quiet"}));
  ASSERT_EQ(rows.size(), 4u) << "the same text is chosen once";
  double last = 1e9;
  for (const auto& row : rows) {
    EXPECT_LE(row["score"].get<double>(), last);
    last = row["score"];
    EXPECT_TRUE(row["label"].is_null());
    EXPECT_FALSE(row["reasons"].empty());
    EXPECT_TRUE(row["row"].is_number_unsigned());
    EXPECT_TRUE(row["text"].is_string());
  }
  const auto two = lines_of_json(output_of({"next", "m.mega", "new.txt", "-n", "2", "-q"}));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0], rows[0]);
  EXPECT_EQ(two[1], rows[1]);
}

TEST_F(Next, TheBatchTrainsOnceLabelsAreFilledIn) {
  std::string jsonl, csv;
  for (auto& row : lines_of_json(output_of({"next", "m.mega", "new.txt", "-q"}))) {
    row["label"] = row["row"].get<int>() % 2 ? "sun" : "rain";
    jsonl += row.dump() + "\n";
  }
  write("batch.jsonl", jsonl);
  output_of({"next", "m.mega", "new.txt", "-q", "--to", "csv", "-o", "batch.csv"});
  std::istringstream table(read("batch.csv"));
  std::string line;
  std::getline(table, line);
  EXPECT_EQ(line, "label,text,id,group,domain,row,score,reasons");
  for (csv = line + "\n"; std::getline(table, line);) csv += "sun" + line + "\n";
  write("batch.csv", csv + "rain,wet,,,,9,0,\n");
  for (const char* file : {"calls=batch.jsonl", "calls=batch.csv"}) {
    const CommandResult trained =
        run({"train", "-s", "prior", "-d", "news=news.csv", "-d", "calls=calls.csv", "-d",
             file, "-t", "calls", "-o", "more.mega"});
    EXPECT_EQ(trained.exit_code, 0) << trained.err;
  }
  EXPECT_EQ(
      json_of({"model", "info", "more.mega", "--json"})["domains"]["calls"]["examples"],
      2 + 5);
}

TEST_F(Next, ABatchWithoutLabelsIsRefused) {
  output_of({"next", "m.mega", "new.txt", "-q", "-o", "batch.jsonl"});
  const CommandResult result =
      run({"train", "-s", "mix", "-d", "calls=batch.jsonl", "-t", "calls", "-o", "x.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("label"));
}

TEST_F(Next, ThreadsDoNotMatter) {
  std::string text;
  for (int i = 0; i < 900; ++i) {
    text += std::string(i % 3 ? "warm" : "cold") + " w" + std::to_string(i % 71) + " v" +
            std::to_string(i % 13) + "\n";
  }
  EXPECT_EQ(output_of({"next", "m.mega", "-", "-q", "--threads", "1"}, text),
            output_of({"next", "m.mega", "-", "-q", "--threads", "4"}, text));
}

TEST_F(Next, SaysWhatTheLabelsWouldBring) {
  const CommandResult without = run({"next", "m.mega", "new.txt", "-o", "b.jsonl"});
  EXPECT_THAT(without.err, HasSubstr("What their labels would bring is not known"));
  const auto unknown = json_of({"next", "m.mega", "new.txt", "-o", "b.jsonl", "--json"});
  EXPECT_EQ(unknown["budget"], 100);
  EXPECT_TRUE(unknown["expected_gain"].is_null());
  EXPECT_TRUE(unknown["interval"].is_null());

  write("curve.json", R"({"repeats": 5, "best": "megam", "curves": [
    {"name": "megam", "points": [{"examples": 1, "mean": 0.5, "low": 0.48, "high": 0.52},
     {"examples": 4, "mean": 0.7, "low": 0.68, "high": 0.72},
     {"examples": 16, "mean": 0.8, "low": 0.78, "high": 0.82}]}]})");
  const auto known = json_of(
      {"next", "m.mega", "new.txt", "-o", "b.jsonl", "--json", "--curve", "curve.json"});
  // a = 0.9, b = 0.4, c = 1/2 goes through all points; 2 labels become 6.
  EXPECT_NEAR(known["expected_gain"].get<double>(),
              0.4 / std::sqrt(2.0) - 0.4 / std::sqrt(6.0), 1e-9);
  EXPECT_LT(known["interval"][0], known["expected_gain"]);
  EXPECT_GT(known["interval"][1], known["expected_gain"]);
  EXPECT_EQ(known["random"]["expected_gain"], known["expected_gain"]);
  const CommandResult told =
      run({"next", "m.mega", "new.txt", "-o", "b.jsonl", "--curve", "curve.json"});
  EXPECT_THAT(told.err,
              HasSubstr("4 labels in random order are expected to give megam +1"));

  write("simulated.json", R"({"repeats": 5, "strategies": [{"name": "megam", "share": 0.5,
    "random": [{"examples": 1, "mean": 0.5, "low": 0.48, "high": 0.52},
     {"examples": 4, "mean": 0.7, "low": 0.68, "high": 0.72},
     {"examples": 16, "mean": 0.8, "low": 0.78, "high": 0.82}]}]})");
  const auto better = json_of({"next", "m.mega", "new.txt", "-o", "b.jsonl", "--json",
                               "--curve", "simulated.json"});
  EXPECT_NEAR(better["expected_gain"].get<double>(),
              0.4 / std::sqrt(2.0) - 0.4 / std::sqrt(10.0), 1e-9)
      << "4 labels at half the cost count as 8";
  EXPECT_EQ(better["random"]["expected_gain"], known["expected_gain"]);
}

TEST_F(Next, BadInputIsRefusedAndNothingIsWritten) {
  write("curve.json", R"({"systems": []})");
  const CommandResult foreign =
      run({"next", "m.mega", "new.txt", "--curve", "curve.json", "-o", "b.jsonl"});
  EXPECT_EQ(foreign.exit_code, 2);
  EXPECT_THAT(foreign.err, HasSubstr("this is not a learning curve"));
  const CommandResult conll =
      run({"next", "m.mega", "new.txt", "--to", "conll", "-o", "b.jsonl"});
  EXPECT_EQ(conll.exit_code, 2);
  EXPECT_THAT(conll.err, HasSubstr("--to conll"));
  EXPECT_EQ(run({"next", "m.mega", "new.txt", "--budget", "0"}).exit_code, 2);
  for (const std::string& name : files()) EXPECT_NE(name, "b.jsonl");
}

TEST_F(Next, CurveSimulatesIt) {
  std::string rows = "label,text\n";
  for (int i = 0; i < 60; ++i) {
    rows +=
        std::string(i % 2 ? "sun,warm" : "rain,cold") + " w" + std::to_string(i % 7) + "\n";
  }
  write("many.csv", rows);
  const auto found =
      json_of({"curve", "-d", "news=news.csv", "-d", "calls=many.csv", "-t", "calls",
               "--strategy", "next", "--systems", "prior", "--tune", "none", "--sizes",
               "4,8,16", "--repeats", "2", "--json", "--quiet"});
  ASSERT_EQ(found["strategies"].size(), 1u);
  EXPECT_EQ(found["strategies"][0]["name"], "prior");
  EXPECT_EQ(found["strategies"][0]["next"].size(), 3u);
  EXPECT_GT(found["strategies"][0]["share"], 0);
  EXPECT_THAT(found["verdict"], HasSubstr("of the labels of random"));
  const CommandResult refused =
      run({"curve", "-d", "calls=many.csv", "--strategy", "next", "--stop", "0.1"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--stop"));
}

}  // namespace
}  // namespace megadapt
