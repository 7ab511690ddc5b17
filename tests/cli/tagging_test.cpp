#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "cli/cli_fixture.hpp"

namespace megadapt {
namespace {

class Tagging : public Cli {
 protected:
  // Sentences about animals; the words alone determine the tags.
  static std::string animals(int copies) {
    std::string text;
    for (int i = 0; i < copies; ++i) {
      text += fmt::format("# doc = d{}\n\n", i);
      text += "the\tDET\ndog\tNOUN\nbites\tVERB\n\n";
      text += "a\tDET\ncat\tNOUN\nsees\tVERB\nthe\tDET\ndog\tNOUN\n\n";
      text += "dogs\tNOUN\nsee\tVERB\n\n";
    }
    return text;
  }
  void train_pos(const std::string& system = "mix") const {
    write("many.conll", animals(8));
    write("few.conll", animals(3));
    output_of({"train", "--quiet", "--task", "pos", "--system", system, "--domain",
               "many=many.conll", "--domain", "few=few.conll", "--target", "few", "-o",
               "pos.mega"});
  }
  static std::string mentions() {
    std::string text;
    for (int i = 0; i < 6; ++i) {
      text += "the\tDT\tB\nold\tJJ\tI\nmayor\tNN\tI\nspoke\tVB\tO\n\n";
      text += "he\tPR\tB\nsaw\tVB\tO\nthe\tDT\tB\ntown\tNN\tI\n\n";
    }
    return text;
  }
  void train_mentions() const {
    write("mentions.conll", mentions());
    output_of({"train", "--quiet", "--task", "mention", "--columns", "token,pos,tag",
               "--system", "mix", "--domain", "all=mentions.conll", "-o", "m.mega"});
  }
};

TEST_F(Tagging, AppendsAColumnAndKeepsEveryOtherByte) {
  train_pos();
  const std::string text =
      "# doc = new\n\nthe\ncat\nbites\n\n\n# note = kept\ndogs\nsee\n\n";
  EXPECT_EQ(output_of({"tag", "pos.mega"}, text),
            "# doc = new\n\nthe\tDET\ncat\tNOUN\nbites\tVERB\n\n\n# note = kept\n"
            "dogs\tNOUN\nsee\tVERB\n\n");
}

TEST_F(Tagging, GuessesTheFormatOfEachFile) {
  train_pos();
  EXPECT_EQ(output_of({"tag", "pos.mega"}, "the dog bites\n"),
            "the_DET dog_NOUN bites_VERB\n");
  EXPECT_EQ(output_of({"tag", "pos.mega"}, "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\n\n"),
            "1\tthe\t_\t_\t_\t_\t_\t_\t_\t_\tDET\n\n");
  EXPECT_EQ(output_of({"tag", "pos.mega"}, "{\"tokens\":[\"the\"]}\n"),
            "{\"tokens\":[\"the\"],\"predicted\":[\"DET\"]}\n");
}

TEST_F(Tagging, TagsRunningTextAndKeepsItsSpaces) {
  train_pos();
  const std::string text = "the dog bites, the\n  cat sees. dogs see\n";
  std::string tagged = output_of({"tag", "pos.mega"}, text);
  EXPECT_THAT(tagged, StartsWith("the_DET dog_NOUN bites_VERB,_"));
  for (const char* tag : {"_DET", "_NOUN", "_VERB"}) {
    for (std::size_t at; (at = tagged.find(tag)) != tagged.npos;) {
      tagged.erase(at, std::string(tag).size());
    }
  }
  EXPECT_EQ(tagged, text);
  const auto line = json_of({"tag", "pos.mega", "--json"}, "the dog, bites");
  EXPECT_EQ(line["tokens"], nlohmann::json::parse(R"(["the", "dog", ",", "bites"])"));
  EXPECT_EQ(line["spaces"], nlohmann::json::parse(R"(["", " ", "", " ", ""])"));
}

TEST_F(Tagging, EverySystemTags) {
  for (const char* system : {"onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior",
                             "easyadapt", "megam", "pool", "stack"}) {
    train_pos(system);
    EXPECT_EQ(output_of({"tag", "pos.mega"}, "the\ndog\nsees\n\n"),
              "the\tDET\ndog\tNOUN\nsees\tVERB\n\n")
        << system;
  }
}

TEST_F(Tagging, ReadsWhatTrainingReadFromTheModel) {
  train_pos();
  const auto info = json_of({"model", "info", "pos.mega", "--json"});
  EXPECT_EQ(info["task"], "pos");
  const auto result = json_of({"eval", "pos.mega", "few.conll", "--json"});
  EXPECT_EQ(result["examples"], 30);
  EXPECT_EQ(result["accuracy"], 1);
  EXPECT_EQ(result["sentences"], 9);
  EXPECT_EQ(result["sentence_accuracy"], 1);
  EXPECT_EQ(result["unknown"]["tokens"], 0);
  EXPECT_FALSE(result.contains("spans"));
}

TEST_F(Tagging, UnknownWordsAndTagsAreCounted) {
  train_pos();
  const auto result = json_of({"eval", "pos.mega", "-", "--json"},
                              "the\tDET\nzebra\tNOUN\nyawns\tVERB\noh\tINTJ\n\n");
  EXPECT_EQ(result["examples"], 4);
  EXPECT_EQ(result["unknown"]["tokens"], 3);
  EXPECT_EQ(result["unseen_labels"], (nlohmann::json{{"INTJ", 1}}));
  EXPECT_GT(result["log_loss"].get<double>(), -std::log(1e-15) / 4);
}

TEST_F(Tagging, SpansAreCountedAsConllevalDoes) {
  train_mentions();
  const auto result = json_of({"eval", "m.mega", "-", "--json"},
                              "the\tDT\tB\nold\tJJ\tI\nmayor\tNN\tI\nspoke\tVB\tO\n\n"
                              "he\tPR\tO\nsaw\tVB\tO\nthe\tDT\tB\ntown\tNN\tI\n\n");
  EXPECT_EQ(result["spans"]["support"], 2);
  EXPECT_EQ(result["spans"]["predicted"], 3);
  EXPECT_EQ(result["spans"]["right"], 2);
  EXPECT_DOUBLE_EQ(result["f1"], 0.8);
  EXPECT_EQ(result["f1"], result["spans"]["f1"]);
  EXPECT_EQ(result["sentence_accuracy"], 0.5);
  EXPECT_THAT(output_of({"eval", "m.mega", "mentions.conll"}), HasSubstr("span"));
}

TEST_F(Tagging, AnIWithoutABIsNoError) {
  train_mentions();
  const auto result =
      json_of({"eval", "m.mega", "-", "--json"}, "mayor\tNN\tI\nspoke\tVB\tO\n\n");
  EXPECT_EQ(result["spans"]["support"], 1);
}

TEST_F(Tagging, TheSchemeForbidsAnIAfterAnO) {
  train_mentions();
  std::istringstream lines(
      output_of({"tag", "m.mega"}, "spoke\tVB\nmayor\tNN\ntown\tNN\nsaw\tVB\nold\tJJ\n\n"));
  std::string previous = "O";
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    const std::string tag = line.substr(line.rfind('\t') + 1);
    EXPECT_FALSE(tag == "I" && previous == "O") << line;
    previous = tag;
  }
}

TEST_F(Tagging, MarginalsAndNBest) {
  train_pos();
  const auto sentence = nlohmann::json::parse(output_of(
      {"tag", "pos.mega", "--json", "--marginals", "--nbest", "4"}, "the\ndog\nsees\n\n"));
  EXPECT_EQ(sentence["tokens"], (nlohmann::json{"the", "dog", "sees"}));
  ASSERT_EQ(sentence["nbest"].size(), 4);
  EXPECT_EQ(sentence["nbest"][0]["tags"], sentence["tags"]);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_LE(sentence["nbest"][i]["log_probability"],
              sentence["nbest"][i - 1]["log_probability"]);
  }
  for (const auto& token : sentence["marginals"]) {
    double total = 0;
    for (const auto& [tag, p] : token.items()) total += p.get<double>();
    EXPECT_NEAR(total, 1, 1e-9);
  }
  const std::string text =
      output_of({"tag", "pos.mega", "--marginals", "--nbest", "2"}, "dogs\nsee\n\n");
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 3) << line;
  }
  EXPECT_EQ(output_of({"tag", "pos.mega", "--beam", "1"}, "dogs\nsee\n\n"),
            "dogs\tNOUN\nsee\tVERB\n\n");
}

TEST_F(Tagging, SpansHaveTheirProbability) {
  train_mentions();
  const std::string rows = "the\tDT\nmayor\tNN\nspoke\tVB\n\n";
  const auto line =
      nlohmann::json::parse(output_of({"tag", "m.mega", "--json", "--spans"}, rows));
  ASSERT_EQ(line["tags"], (nlohmann::json{"B", "I", "O"}));
  ASSERT_EQ(line["spans"].size(), 1u);
  const nlohmann::json& span = line["spans"][0];
  EXPECT_EQ(span["begin"], 0);
  EXPECT_EQ(span["end"], 2);
  const double probability = span["probability"];
  EXPECT_GT(probability, 0.25);
  EXPECT_LT(probability, 1);
  // A column has it in the first row of the span.
  EXPECT_EQ(
      output_of({"tag", "m.mega", "--spans"}, rows),
      fmt::format("the\tDT\tB\t{:.6g}\nmayor\tNN\tI\t_\nspoke\tVB\tO\t_\n\n", probability));
}

TEST_F(Tagging, ThreadsAndPipesDoNotMatter) {
  train_pos();
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "the\ncat\nsees\na\ndog\n\n";
  write("long.conll", text);
  const std::string one = output_of({"tag", "pos.mega", "long.conll", "--threads", "1"});
  EXPECT_EQ(output_of({"tag", "pos.mega", "long.conll", "--threads", "3"}), one);
  EXPECT_EQ(output_of({"tag", "pos.mega", "--threads", "3"}, text), one);
  EXPECT_EQ(output_of({"tag", "pos.mega", "--threads", "1"}, text), one);
}

TEST_F(Tagging, APipeGetsItsAnswerBeforeTheNextSentence) {
  train_pos();
  for (const char* threads : {"1", "2"}) {
    RunningCommand tagger(command({"tag", "pos.mega", "--threads", threads}), folder());
    for (int i = 0; i < 3; ++i) {
      tagger.write("dogs\nsee\n\n");
      EXPECT_EQ(tagger.read_line(), "dogs\tNOUN") << threads;
      EXPECT_EQ(tagger.read_line(), "see\tVERB");
      EXPECT_EQ(tagger.read_line(), "");
    }
    tagger.close_input();
    EXPECT_EQ(tagger.finish().exit_code, 0);
  }
}

TEST_F(Tagging, ASentenceOfAHundredThousandTokens) {
  train_pos();
  std::string text;
  for (int i = 0; i < 100000; ++i) text += i % 2 ? "dog\n" : "the\n";
  const std::string tagged = output_of({"tag", "pos.mega"}, text + "\n");
  EXPECT_EQ(std::count(tagged.begin(), tagged.end(), '\n'), 100001);
  EXPECT_THAT(tagged, StartsWith("the\tDET\ndog\tNOUN\n"));
}

TEST_F(Tagging, PredictGivesALinePerToken) {
  train_pos("megam");
  const std::string out =
      output_of({"predict", "pos.mega", "-", "--unlabelled", "--json"}, "the\ndog\n\n");
  std::istringstream lines(out);
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(lines, line);) {
    rows.push_back(nlohmann::json::parse(line));
  }
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0]["label"], "DET");
  EXPECT_EQ(rows[1]["label"], "NOUN");
  EXPECT_TRUE(rows[0].contains("general"));
  double total = 0;
  for (const auto& [tag, p] : rows[0]["probabilities"].items()) total += p.get<double>();
  EXPECT_NEAR(total, 1, 1e-9);
}

TEST_F(Tagging, OnlyModelsOfATaskTag) {
  train_weather();
  const CommandResult result = run({"tag", "weather.mega"}, "the\n\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--task"));
  EXPECT_EQ(run({"recap", "weather.mega"}, "the\n").exit_code, 2);
  train_pos();
  const CommandResult wrong = run({"recap", "pos.mega"}, "the\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("'pos'"));
}

TEST_F(Tagging, SentencesNeedATask) {
  write("few.conll", animals(3));
  const CommandResult result = run({"train", "--system", "mix", "--format", "conll",
                                    "--domain", "a=few.conll", "-o", "m.mega"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--task"));
}

TEST_F(Tagging, MarkedSpansAreClassified) {
  std::string rows;
  for (int i = 0; i < 10; ++i) {
    rows +=
        R"({"doc":"d","tokens":["the","old","mayor"],"start":1,"end":2,"label":"person"})";
    rows += "\n";
    rows += R"({"doc":"d","tokens":["the","town"],"start":0,"end":1,"label":"place"})";
    rows += "\n";
  }
  write("spans.jsonl", rows);
  output_of({"train", "--quiet", "--task", "mention-type", "--system", "mix", "--domain",
             "all=spans.jsonl", "-o", "type.mega"});
  const auto result = json_of({"eval", "type.mega", "spans.jsonl", "--json"});
  EXPECT_EQ(result["examples"], 20);
  EXPECT_EQ(result["accuracy"], 1);
  EXPECT_FALSE(result.contains("sentences"));
  const auto tagged = nlohmann::json::parse(output_of(
      {"tag", "type.mega"}, "{\"tokens\":[\"the\",\"town\"],\"start\":0,\"end\":1}\n"));
  EXPECT_EQ(tagged["predicted"], "place");
}

class Recap : public Cli {
 protected:
  static std::string prose() {
    std::string text;
    for (int i = 0; i < 8; ++i) {
      text += "President Obama met John McCain at NASA .\n";
      text += "The iPhone is here , says Obama .\n";
      text += "McCain saw the moon in 1969 !\n";
    }
    return text;
  }
  Recap() {
    write("prose.txt", prose());
    output_of({"train", "--quiet", "--task", "recap", "--system", "mix", "--domain",
               "all=prose.txt", "-o", "recap.mega"});
  }
};

TEST_F(Recap, GivesTextItsCaseBack) {
  EXPECT_EQ(output_of({"recap", "recap.mega"},
                      "president obama met john mccain at nasa .\n\n"
                      "the  iphone is here , says obama .\n"
                      "mccain saw the moon in 1969 !\n"),
            "President Obama met John McCain at NASA .\n\n"
            "The  iPhone is here , says Obama .\n"
            "McCain saw the moon in 1969 !\n");
}

TEST_F(Recap, TakesRunningText) {
  EXPECT_EQ(output_of({"recap", "recap.mega"},
                      "president obama met john mccain\nat nasa. the  iphone, says obama, "
                      "is here.\n"),
            "President Obama met John McCain\nat NASA. The  iPhone, says Obama, "
            "is here.\n");
  EXPECT_EQ(output_of({"recap", "recap.mega", "--format", "text"}, "the moon .\n"),
            "The moon .\n");
}

TEST_F(Recap, LearnsFromRunningText) {
  write("running.txt", "Obama met McCain, at NASA. The iPhone is here!\n");
  output_of({"train", "--quiet", "--task", "recap", "--format", "prose", "--system", "mix",
             "--domain", "all=running.txt", "-o", "running.mega"});
  EXPECT_EQ(output_of({"recap", "running.mega"}, "obama met mccain, at nasa.\n"),
            "Obama met McCain, at NASA.\n");
}

TEST_F(Recap, EvaluatesTextInItsCase) {
  const auto result = json_of({"eval", "recap.mega", "prose.txt", "--json"});
  EXPECT_EQ(result["accuracy"], 1);
  for (const char* label : {"Lowercase", "Capitalized", "AllUpper", "Punct", "Mixed"}) {
    EXPECT_GT(result["labels"][label]["support"], 0) << label;
  }
}

TEST_F(Recap, SurvivesExportAndImport) {
  write("m.txt", output_of({"model", "export", "recap.mega"}));
  output_of({"model", "import", "m.txt", "-o", "again.mega"});
  EXPECT_EQ(output_of({"recap", "again.mega"}, "the iphone of mccain .\n"),
            output_of({"recap", "recap.mega"}, "the iphone of mccain .\n"));
}

TEST_F(Recap, AnswersLineByLine) {
  RunningCommand recap(command({"recap", "recap.mega"}), folder());
  recap.write("the moon .\n");
  EXPECT_EQ(recap.read_line(), "The moon .");
  recap.close_input();
  EXPECT_EQ(recap.finish().exit_code, 0);
}

// Half of the spans begin with I, so that the scheme affects the predictions.
TEST_F(Tagging, ResumedPartsAreOfOneScheme) {
  std::string iob1;
  for (int i = 0; i < 12; ++i) {
    iob1 += fmt::format("# doc = d{}\n\n", i);
    iob1 += "the\tI\nold\tI\nmayor\tI\nspoke\tO\n\n";
    iob1 += "he\tB\nthe\tB\nsaw\tO\nthe\tI\ntown\tI\n\n";
  }
  write("iob1.conll", iob1);
  const auto compare = [&](const std::string& scheme, const std::string& resume) {
    std::vector<std::string> arguments{
        "compare",  "--json",       "--task",    "mention", "--columns",   "token,tag",
        "--domain", "d=iob1.conll", "--systems", "onlyi",   "--no-tuning", "--folds",
        "2",        "--scheme",     scheme};
    if (!resume.empty()) arguments.insert(arguments.end(), {"--resume", resume});
    return run(arguments);
  };
  const auto accuracy = [](const CommandResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["systems"][0]["accuracy"].get<double>();
  };
  EXPECT_NE(accuracy(compare("none", "kept")), accuracy(compare("iob2", "")));
  EXPECT_NE(compare("iob2", "kept").exit_code, 0) << "parts of another scheme";
}

TEST_F(Tagging, AReportOfFoldsReadsNoFileAgain) {
  write("n1.conll", mentions());
  write("n2.conll", mentions());
  write("other.conll", mentions());
  const CommandResult result =
      run({"compare", "--quiet", "--task", "mention", "--columns", "token,pos,tag",
           "--domain", "news=n*.conll", "--domain", "other=other.conll", "--target", "news",
           "--systems", "onlyi,mix", "--no-tuning", "--folds", "2", "--report", "r.html"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read("r.html"), HasSubstr("the [old] mayor"));
}

}  // namespace
}  // namespace megadapt
