// Rows without labels on the command line, and labels with probabilities.
#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class UnlabelledRows : public Cli {
 protected:
  UnlabelledRows() {
    write("calls.txt", calls() + calls());
    write("news.txt", news());
    write("more.txt", "warm dry\nwet cold\nwarm bright unseen\ndark wet\n");
    write("labelled.txt",
          "sun\twarm dry\nrain\twet cold\nsun\twarm bright unseen\nrain\tdark wet\n");
  }
  static std::vector<std::string> with(std::vector<std::string> begin,
                                       const std::vector<std::string>& more) {
    const std::vector<std::string> domains{"-d", "news=news.txt", "-d", "calls=calls.txt",
                                           "-t", "calls"};
    begin.insert(begin.end(), domains.begin(), domains.end());
    begin.insert(begin.end(), more.begin(), more.end());
    return begin;
  }
  std::string trained(const std::vector<std::string>& more) const {
    output_of(with({"train", "-q", "-s", "prior", "-o", "m.mega"}, more));
    return output_of({"predict", "m.mega", "news.txt", "--proba"});
  }
};

TEST_F(UnlabelledRows, ChangeTheModelUnlessTheirWeightIsZero) {
  const std::string without = trained({});
  EXPECT_NE(trained({"--unlabelled", "more.txt"}), without);
  EXPECT_EQ(trained({"--unlabelled", "more.txt", "--unlabelled-weight", "0"}), without);
}

TEST_F(UnlabelledRows, LabelsInTheFileAreIgnoredAndThatIsSaid) {
  const std::string without = trained({"--unlabelled", "more.txt"});
  EXPECT_EQ(trained({"--unlabelled", "labelled.txt"}), without);
  const CommandResult result =
      run(with({"train", "-s", "prior", "-o", "m.mega"}, {"--unlabelled", "labelled.txt"}));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err,
              HasSubstr("note: the labels of 4 rows in labelled.txt are ignored"));
}

TEST_F(UnlabelledRows, AreInTheHistoryOfTheModel) {
  trained({"--unlabelled", "more.txt", "--sharpen", "3"});
  const auto info = json_of({"model", "info", "m.mega", "--json"});
  EXPECT_EQ(info["data"].back()["file"], "more.txt");
  EXPECT_EQ(info["data"].back()["rows"], 4);
  EXPECT_EQ(info["data"].back()["unlabelled"], true);
  EXPECT_EQ(info["options"]["sharpen"], "3");
  EXPECT_EQ(info["options"]["unlabelled-weight"], "0.1");
  EXPECT_FALSE(info["data"][0].contains("unlabelled"));
  output_of({"model", "export", "m.mega", "-o", "m.txt"});
  output_of({"model", "import", "m.txt", "-o", "again.mega"});
  EXPECT_EQ(read("again.mega"), read("m.mega"));
}

TEST_F(UnlabelledRows, CompareReportsEachSystemWithAndWithoutThem) {
  const auto result = json_of(with({"compare", "-q", "--json", "--systems", "onlyi,prior"},
                                   {"--unlabelled", "more.txt", "--folds", "2"}));
  for (const auto& system : result["systems"]) {
    const auto& gain = system["unlabelled"];
    EXPECT_TRUE(gain.contains("gamma") && gain.contains("k") && gain.contains("gain"));
    EXPECT_NEAR(
        gain["gain"].get<double>(),
        system["accuracy"].get<double>() - gain["without"]["accuracy"].get<double>(),
        1e-12);
  }
  EXPECT_THAT(output_of(with({"compare", "-q", "--systems", "onlyi,prior"},
                             {"--unlabelled", "more.txt", "--folds", "2"})),
              HasSubstr("unlabelled rows: accuracy without and with them"));
}

TEST_F(UnlabelledRows, TuneAndTrainWithItsSettings) {
  const auto tuned = json_of(with({"tune", "-q", "--json", "-s", "prior"},
                                  {"--unlabelled", "more.txt", "-o", "tuned.mega"}));
  EXPECT_TRUE(tuned["unlabelled"].contains("gamma"));
  EXPECT_EQ(tuned["tuned"]["unlabelled-weight"], tuned["unlabelled"]["gamma"]);
  const auto info = json_of({"model", "info", "tuned.mega", "--json"});
  EXPECT_TRUE(info["options"].contains("unlabelled-weight"));
}

TEST_F(UnlabelledRows, BadUseIsRefused) {
  const auto error = [&](const std::vector<std::string>& more) {
    const CommandResult result = run(with({"train", "-s", "mix", "-o", "m.mega"}, more));
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(error({"--unlabelled", "none.txt"}), HasSubstr("none.txt"));
  EXPECT_THAT(error({"--unlabelled", "more.txt", "--unlabelled", "more.txt"}),
              HasSubstr("more.txt is given twice"));
  EXPECT_THAT(error({"--unlabelled-weight", "0.3"}),
              HasSubstr("there are no unlabelled rows"));
  EXPECT_THAT(error({"--unlabelled", "more.txt", "--unlabelled-weight", "-1"}),
              HasSubstr("--unlabelled-weight"));
  EXPECT_THAT(error({"--unlabelled", "more.txt", "--sharpen", "0"}),
              HasSubstr("--sharpen"));
  EXPECT_FALSE(std::filesystem::exists(folder() + "/m.mega"));
}

TEST_F(UnlabelledRows, TheFlagOfVersion01StaysOnPredict) {
  trained({});
  EXPECT_EQ(output_of({"predict", "m.mega", "more.txt", "--unlabelled"}),
            output_of({"predict", "m.mega", "more.txt", "-u"}));
}

TEST_F(UnlabelledRows, SentencesWithAndWithoutTags) {
  write("out.conll", "a\tDET\ndog\tNOUN\n\nthe\tDET\ncat\tNOUN\n\nruns\tVERB\n\n");
  write("in.conll", "the\tDET\ndog\tNOUN\nruns\tVERB\n\nruns\tVERB\n\n");
  write("tagged.conll", "a\tX\ncat\tY\n\nthe\tX\ndog\tY\nruns\tZ\n\n");
  write("plain.txt", "a cat\nthe dog runs\n");
  const auto tagger = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{
        "train", "--task",      "pos", "-s", "mix", "-d",    "out=out.conll",
        "-d",    "in=in.conll", "-t",  "in", "-o",  "t.mega"};
    all.insert(all.end(), more.begin(), more.end());
    const CommandResult result = run(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err + output_of({"predict", "t.mega", "in.conll", "--json"});
  };
  const std::string note = "note: the labels of 2 sentences in tagged.conll are ignored\n";
  const std::string tagged = tagger({"--unlabelled", "tagged.conll"});
  EXPECT_THAT(tagged, HasSubstr(note));
  const std::string plain = tagger({"--unlabelled", "plain.txt"});
  EXPECT_EQ(plain.substr(plain.find('{')), tagged.substr(tagged.find('{')));
  const std::string without = tagger({});
  EXPECT_NE(without.substr(without.find('{')), plain.substr(plain.find('{')));
}

// Labels with probabilities: rows repeated with each label, weighted by its share.
TEST_F(UnlabelledRows, SoftLabelsAreWeightedRows) {
  const std::string hard = R"({"label":"a","features":["f"]}
{"label":"b","features":["g"]}
)";
  write("soft.jsonl", hard + R"({"label":{"b":0.25,"a":0.75},"features":["f","h"]})"
                             "\n");
  write("turned.jsonl", hard + R"({"label":{"a":3,"b":1},"features":["f","h"]})"
                               "\n");
  write("rows.jsonl", hard + R"({"label":"a","weight":0.75,"features":["f","h"]}
{"label":"b","weight":0.25,"features":["f","h"]}
)");
  write("one.jsonl", hard + R"({"label":{"a":1,"b":0},"features":["f","h"]})"
                            "\n");
  write("plain.jsonl", hard + R"({"label":"a","features":["f","h"]})"
                              "\n");
  const auto predicted = [&](const std::string& file) {
    output_of({"train", "-q", "-s", "mix", "-d", "d=" + file, "-o", "s.mega", "--tolerance",
               "1e-12", "--precision", "double"});
    return json_of({"predict", "s.mega", "-", "--json", "--format", "jsonl", "-u"},
                   "{\"features\":[\"f\",\"h\"]}\n")["probabilities"]["a"]
        .get<double>();
  };
  EXPECT_NEAR(predicted("soft.jsonl"), predicted("rows.jsonl"), 1e-6);
  EXPECT_EQ(predicted("soft.jsonl"), predicted("turned.jsonl"));
  EXPECT_EQ(predicted("one.jsonl"), predicted("plain.jsonl"));
  EXPECT_THAT(output_of({"convert", "turned.jsonl", "--to", "jsonl"}),
              HasSubstr(R"("label":{"a":0.75,"b":0.25})"));
  EXPECT_THAT(run({"convert", "soft.jsonl", "--to", "megam"}).err,
              HasSubstr("the row has a label with probabilities, which megam cannot hold"));
}

}  // namespace
}  // namespace megadapt
