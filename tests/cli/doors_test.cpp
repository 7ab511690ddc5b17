// The same rows and sentences give the same bits through the C++ class, the command line
// and HTTP. Python is tested in python/tests/test_files.py.
#include <signal.h>

#include "cli/cli_fixture.hpp"
#include "megadapt/classifier.hpp"
#include "serve/http_client.hpp"

namespace megadapt {
namespace {

using nlohmann::json;

class Doors : public Cli {
 protected:
  /// Returns the server's answer to each body.
  std::vector<json> served(const std::string& model,
                           const std::vector<std::string>& bodies) {
    RunningCommand server(command({"serve", model, "--port", "0", "--json"}), folder());
    testing_support::HttpClient client(json::parse(server.read_line())["port"]);
    std::vector<json> answers;
    for (const std::string& body : bodies) {
      answers.push_back(json::parse(client.post("/v1/predict", body).body));
    }
    server.send_signal(SIGTERM);
    server.finish();
    return answers;
  }
  std::vector<json> printed(std::vector<std::string> arguments, const std::string& input) {
    std::istringstream lines(output_of(std::move(arguments), input));
    std::vector<json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }
  // JSON has all digits of a double, so probabilities must be equal.
  static void expect_same(const json& shown, const Prediction& prediction,
                          const std::vector<std::string>& labels) {
    EXPECT_EQ(shown["label"], labels[prediction.label]);
    for (std::size_t y = 0; y < labels.size(); ++y) {
      EXPECT_EQ(shown["probabilities"][labels[y]].get<double>(),
                prediction.probabilities[y]);
    }
    EXPECT_EQ(shown.contains("general"), prediction.general.has_value());
    if (prediction.general) {
      EXPECT_EQ(shown["general"].get<double>(), *prediction.general);
    }
  }
};

TEST_F(Doors, RowsOfAClassifier) {
  write("a.csv", "label,text\ngood,a moving story well told\nbad,flat style and no plot\n");
  write("b.csv", "label,text\ngood,long battery life\nbad,the battery died at once\n");
  for (const std::string option : {"--word-ngrams=2", "--hash-bits=8"}) {
    output_of({"train", "-q", "--system", "megam", "-d", "a=a.csv", "-d", "b=b.csv",
               "--target", "b", option, "-o", "m.mega"});
    const std::vector<std::string> lines{R"({"text":"Battery with a flat story"})",
                                         R"({"text":"long plot","domain":"a"})"};
    const auto from_program =
        printed({"predict", "m.mega", "-", "--json", "-u", "--format", "jsonl"},
                lines[0] + "\n" + lines[1] + "\n");
    const auto from_server = served("m.mega", lines);
    const Classifier classifier = Classifier::load(folder() + "/m.mega");
    const std::vector<Example> examples{{.text = "Battery with a flat story"},
                                        {.text = "long plot", .domain = "a"}};
    const auto from_class = classifier.predict(examples, Execution(2));
    for (std::size_t n = 0; n < 2; ++n) {
      expect_same(from_program[n], from_class[n], classifier.labels());
      EXPECT_EQ(from_server[n], from_program[n]);
    }
  }
}

/// A document in every format that has no labels.
struct Written {
  std::string raw, csv, tsv, json;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

const std::vector<std::string> kDocuments{"Great film, great cast!",
                                          "I don't like C++; C# is \"fine\"",
                                          "C is fine",
                                          "the battery died 😀 at once",
                                          "the battery died at once",
                                          "Die Straße war NASS, l’école aussi",
                                          "我喜欢猫",
                                          "",
                                          "pos great film",
                                          "3,000.50 € or $ 17 for 1:1"};

Written written(const std::vector<std::string>& documents) {
  Written all{.raw = {}, .csv = "text\n", .tsv = "id\ttext\n", .json = {}};
  for (const std::string& text : documents) {
    all.raw += text + "\n";
    all.csv += quoted(text) + "\n";
    all.tsv += "x\t" + text + "\n";
    all.json += json{{"text", text}}.dump() + "\n";
  }
  return all;
}

const std::string kTexts =
    "label,text,domain\ngood,great film and great cast,films\nbad,the film was "
    "awful,films\n"
    "good,C++ is fine 😀,code\nbad,C is awful,code\ngood,C# is great,code\n"
    "bad,l'école était nasse,code\ngood,喜欢 这 film for 17 €,films\n";

TEST_F(Doors, ADocumentHasOneAnswerInEveryFormatAndThroughEveryDoor) {
  write("texts.csv", kTexts);
  const Written all = written(kDocuments);
  for (const std::string option :
       {"--word-ngrams=2", "--char-ngrams=3", "--hash-bits=8", "--text-weights=counts",
        "--text-weights=log-counts", "--text-weights=tfidf"}) {
    SCOPED_TRACE(option);
    output_of({"train", "-q", "--system", "megam", "-d", "all=texts.csv", "--target",
               "code", option, "-o", "m.mega"});
    const auto predicted = [&](const std::string& input, std::vector<std::string> more) {
      std::vector<std::string> arguments{"predict", "m.mega", "-", "--json"};
      arguments.insert(arguments.end(), more.begin(), more.end());
      std::vector<json> answers = printed(arguments, input);
      for (json& answer : answers) answer.erase("id");
      return answers;
    };
    const std::vector<json> raw = predicted(all.raw, {"--format", "text"});
    ASSERT_EQ(raw.size(), kDocuments.size());
    EXPECT_EQ(predicted(all.raw, {"--no-labels"}), raw) << "guessed for a model of text";
    EXPECT_EQ(predicted(all.raw, {"-u", "--threads", "2"}), raw);
    EXPECT_EQ(predicted(all.csv, {"-u"}), raw);
    EXPECT_EQ(predicted(all.tsv, {"-u"}), raw);
    EXPECT_EQ(predicted(all.json, {"-u"}), raw);
    std::vector<std::string> bodies;
    const Classifier classifier = Classifier::load(folder() + "/m.mega");
    for (std::size_t n = 0; n < kDocuments.size(); ++n) {
      bodies.push_back(json{{"text", kDocuments[n]}}.dump());
      expect_same(raw[n], classifier.predict({.text = kDocuments[n]}), classifier.labels());
    }
    EXPECT_EQ(served("m.mega", bodies), raw);
    const auto explained = printed({"explain", "m.mega", "-", "-u", "--json"}, all.raw);
    for (std::size_t n = 0; n < kDocuments.size(); ++n) {
      EXPECT_EQ(explained[n]["probabilities"], raw[n]["probabilities"]);
    }
  }
}

TEST_F(Doors, NumbersCategoriesAndSeveralTextsHaveOneAnswer) {
  write("t.csv",
        "label,title,body,price,color\ngood,Hat,warm,2.5,red\nbad,Cap,thin,9,blue\n"
        "good,Hat,nice,3,red\nbad,Scarf,thin,,blue\n");
  output_of({"train", "-q", "--system", "mix", "-d", "shop=t.csv", "--text-column", "title",
             "--text-column", "body", "--number-columns", "price", "--category-columns",
             "color", "-o", "m.mega"});
  const auto csv = printed({"predict", "m.mega", "-", "--json", "-u"},
                           "title,body,price,color\nCap,nice,4.5,red\n");
  const std::string row = R"({"title":"Cap","body":"nice","price":4.5,"color":"red"})";
  EXPECT_EQ(printed({"predict", "m.mega", "-", "--json", "-u"}, row + "\n"), csv);
  EXPECT_EQ(served("m.mega", {row}), csv);
  const Classifier classifier = Classifier::load(folder() + "/m.mega");
  const Example example{
      .columns = {{"title", "Cap"}, {"body", "nice"}, {"price", "4.5"}, {"color", "red"}}};
  expect_same(csv[0], classifier.predict(example), classifier.labels());
  EXPECT_NE(printed({"predict", "m.mega", "-", "--json", "-u"},
                    "title,body,price,color\nCap,nice,40,red\n"),
            csv);
  const CommandResult raw = run({"predict", "m.mega", "-", "-u"}, "Cap nice\n");
  EXPECT_EQ(raw.exit_code, 2);
  EXPECT_THAT(raw.err, HasSubstr("needs the columns price, color"));
}

TEST_F(Doors, SymbolsAreFeaturesOfTheirOwn) {
  write("t.csv", "label,text\nx,C++\ny,C#\nz,C\nw,😀\n");
  output_of({"train", "-q", "--system", "mix", "-d", "a=t.csv", "-o", "m.mega"});
  EXPECT_EQ(output_of({"predict", "m.mega", "-", "-u"}, "C++\nC#\nC\n😀\n"), "x\ny\nz\nw\n");
}

TEST_F(Doors, RawTextIsRefusedWhereItCannotBeUsed) {
  write("a.txt", "good\tgreat film\nbad\tawful film\n");
  output_of({"train", "-q", "--system", "mix", "-d", "a=a.txt", "-o", "m.mega"});
  const CommandResult features =
      run({"predict", "m.mega", "-", "--format", "text"}, "a b\n");
  EXPECT_EQ(features.exit_code, 2);
  EXPECT_THAT(features.err, HasSubstr("trained on feature lines, not on text"));
  EXPECT_THAT(served("m.mega", {R"({"text":"great film"})"})[0].dump(),
              HasSubstr("trained on feature lines"));
  write("t.csv", kTexts);
  output_of(
      {"train", "-q", "--system", "mix", "-d", "code=t.csv", "-t", "code", "-o", "t.mega"});
  const CommandResult eval =
      run({"eval", "t.mega", "-", "--format", "text"}, "Great film\n");
  EXPECT_EQ(eval.exit_code, 2);
  EXPECT_THAT(eval.err, HasSubstr("lines of raw text have no labels"));
  const CommandResult lines = run({"predict", "t.mega", "-"}, "good\tGreat film\n");
  EXPECT_EQ(lines.exit_code, 2);
  EXPECT_THAT(lines.err, HasSubstr("the model was trained on text"));
  EXPECT_EQ(run({"adapt", "t.mega", "-d", "a=a.txt", "-o", "n.mega"}).exit_code, 2);
}

TEST_F(Doors, ValuesInBins) {
  write("a.txt", "good long 2.5 plot 1\nbad long 9 plot 1\ngood long 1 plot 3\n");
  output_of({"train", "-q", "--system", "mix", "-d", "a=a.txt", "--format", "megam-fvals",
             "--bin", "2", "-o", "m.mega"});
  const auto from_program = printed(
      {"predict", "m.mega", "-", "--json", "-u", "--format", "megam-fvals"}, "long 8.5\n");
  const Classifier classifier = Classifier::load(folder() + "/m.mega");
  const Example example{.features = {{"long", 8.5F}}, .has_values = true};
  expect_same(from_program[0], classifier.predict(example), classifier.labels());
  EXPECT_EQ(served("m.mega", {R"({"features":{"long":8.5}})"})[0], from_program[0]);
}

TEST_F(Doors, SentencesOfATagger) {
  write("a.conll", "ann\tB-PER\nlee\tI-PER\nran\tO\n\nbob\tB-PER\nsat\tO\n\n");
  write("b.conll", "she\tO\nsaw\tO\nann\tB-PER\n\nbob\tB-PER\nlee\tI-PER\nsat\tO\n\n");
  output_of({"train", "-q", "--system", "megam", "--task", "mention", "-d", "a=a.conll",
             "-d", "b=b.conll", "--target", "b", "-o", "m.mega"});
  const auto from_program = printed(
      {"predict", "m.mega", "-", "--json", "-u", "--format", "text"}, "she saw bob lee\n");
  const auto from_server = served("m.mega", {R"({"text":"she saw bob lee"})"})[0]["tokens"];
  const Tagger tagger = Tagger::load(folder() + "/m.mega");
  const auto from_class = tagger.predict({.tokens = {"she", "saw", "bob", "lee"}});
  ASSERT_EQ(from_class.size(), 4u);
  ASSERT_EQ(from_program.size(), 4u);
  for (std::size_t t = 0; t < 4; ++t) {
    expect_same(from_program[t], from_class[t], tagger.labels());
    expect_same(from_server[t], from_class[t], tagger.labels());
  }
}

}  // namespace
}  // namespace megadapt
