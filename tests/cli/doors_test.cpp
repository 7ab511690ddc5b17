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
