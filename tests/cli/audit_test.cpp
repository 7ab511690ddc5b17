#include <set>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

/// Rows of good and bad words. In the target, "sick" praises, and three labels are wrong.
class Audit : public Cli {
 protected:
  static constexpr int kRows = 120;

  Audit() {
    const char* good[] = {"great", "lovely", "fine", "superb"};
    const char* bad[] = {"awful", "poor", "dull", "broken"};
    std::string source, target = "label,text\n";
    for (int i = 0; i < 2 * kRows; ++i) {
      const bool praise = i % 2 == 0;
      source += std::string(praise ? "pos" : "neg") + "\t" +
                (praise ? good : bad)[i / 2 % 4] + " " + (praise ? good : bad)[i / 8 % 4] +
                (!praise && i % 3 == 0 ? " sick" : "") + " w" + std::to_string(i % 7) +
                "\n";
    }
    for (int i = 0; i < kRows; ++i) {
      bool praise = i % 2 == 0;
      std::string text = std::string((praise ? good : bad)[i / 2 % 4]) + " " +
                         (praise ? good : bad)[i / 8 % 4] + " w" + std::to_string(i % 7);
      if (praise && i % 6 == 0) text = "sick sick w" + std::to_string(i % 7);
      if (wrong().contains(i + 1)) praise = !praise;
      target += std::string(praise ? "pos" : "neg") + "," + text + "\n";
    }
    write("news.txt", source);
    write("talk.csv", target);
  }
  static std::set<int> wrong() { return {9, 22, 51}; }  // rows of the target, from 1
  std::vector<std::string> audit(std::vector<std::string> more) const {
    std::vector<std::string> words = {"audit",         "-d", "news=news.txt", "-d",
                                      "talk=talk.csv", "-t", "talk",          "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

std::vector<nlohmann::json> json_lines(const std::string& text) {
  std::vector<nlohmann::json> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(nlohmann::json::parse(line));
  }
  return rows;
}

TEST_F(Audit, PlantedLabelErrorsComeFirst) {
  const auto rows = json_lines(output_of(audit({"--json"})));
  ASSERT_GE(rows.size(), wrong().size());
  std::set<std::string> first, planted;
  for (std::size_t i = 0; i < wrong().size(); ++i) {
    EXPECT_EQ(rows[i]["kind"], "label-error");
    EXPECT_NE(rows[i]["general"], rows[i]["label"]);
    EXPECT_NE(rows[i]["specific"], rows[i]["label"]);
    EXPECT_GT(rows[i]["reasons"].size(), 0u);
    first.insert(rows[i]["id"]);
  }
  for (const int row : wrong()) planted.insert("talk.csv:" + std::to_string(row));
  EXPECT_EQ(first, planted);
}

TEST_F(Audit, ChangedMeaningIsKeptApart) {
  const auto rows = json_lines(output_of(audit({"--json", "--kind", "changed-meaning"})));
  ASSERT_GE(rows.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(rows[i]["kind"], "changed-meaning");
    EXPECT_EQ(rows[i]["label"], "pos");
    EXPECT_EQ(rows[i]["specific"], "pos");
    EXPECT_EQ(rows[i]["general"], "neg");
    EXPECT_THAT(rows[i]["text"].get<std::string>(), StartsWith("sick"));
    EXPECT_THAT(rows[i]["reasons"][0].get<std::string>(), StartsWith("sick (+"));
  }
}

TEST_F(Audit, WritesATable) {
  output_of(audit({"-o", "suspects.csv"}));
  EXPECT_THAT(read("suspects.csv"),
              StartsWith("kind,id,row,domain,label,general,specific,score,reasons,text\n"
                         "label-error,talk.csv:"));
}

TEST_F(Audit, ThreadsDoNotChangeIt) {
  EXPECT_EQ(output_of(audit({"--threads", "1"})), output_of(audit({"--threads", "3"})));
}

TEST_F(Audit, NeedsASource) {
  const CommandResult result = run({"audit", "-d", "talk=talk.csv"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("source"));
}

}  // namespace
}  // namespace megadapt
