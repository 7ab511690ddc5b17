// Requests with sentences, for task models.
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "megadapt/systems.hpp"
#include "serve/service.hpp"

namespace megadapt::serve {
namespace {

using nlohmann::json;

Model task_model(const std::string& task_name, const std::string& text) {
  const std::string path =
      testing::TempDir() + "/sentence-routes-" + std::to_string(getpid()) + "-" + task_name;
  std::ofstream(path) << text;
  Dataset data = read_dataset({{"news", path}}, {.task = TaskOptions{.task = task_name}});
  return train_model(std::move(data), "megam", "news", {}, {}, {Execution(1)});
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

class SentenceRoutes : public testing::Test {
 protected:
  json post(const Service& service, std::string_view path, std::string_view body,
            int status = 200) const {
    const Response response =
        service.answer({.method = "POST", .path = path, .host = "x", .body = body});
    EXPECT_EQ(response.status, status) << response.body;
    return json::parse(response.body);
  }

  Model tagger_ = task_model("pos", repeated("the\tDET\ndog\tNOUN\nbites\tVERB\n\n", 8));
  Model typer_ = task_model(
      "mention-type",
      repeated(R"({"tokens": ["we", "saw", "Ann"], "start": 2, "end": 2, "label": "person"}
{"tokens": ["in", "old", "Rome"], "start": 1, "end": 2, "label": "place"}
)",
               6));
  Service tags_{tagger_, {.limits = {.rows = 6}}};
  Service types_{typer_, {}};
};

TEST_F(SentenceRoutes, EveryTokenHasATag) {
  const json answer = post(tags_, "/v1/predict", R"({"text": " the  dog ", "id": "7"})");
  EXPECT_EQ(answer["id"], "7");
  ASSERT_EQ(answer["tokens"].size(), 2u);
  EXPECT_EQ(answer["tokens"][1]["token"], "dog");
  EXPECT_EQ(answer["tokens"][1]["label"], "NOUN");
  EXPECT_TRUE(answer["tokens"][1]["probabilities"].contains("VERB"));
  EXPECT_GT(answer["tokens"][1]["general"], 0);
  const json again =
      post(tags_, "/v1/predict", R"({"rows": [{"tokens": ["the", "dog"], "id": "7"}]})");
  EXPECT_EQ(again["rows"][0]["tokens"], answer["tokens"]);
  EXPECT_EQ(answer["spaces"], json::parse(R"([" ", "  ", " "])"));
}

TEST_F(SentenceRoutes, ProseIsSplitIntoSentencesAndTokens) {
  const json answer = post(tags_, "/v1/predict", R"({"text": "The dog! A\ndog."})", 200);
  std::vector<std::string> tokens;
  for (const json& token : answer["tokens"]) tokens.push_back(token["token"]);
  EXPECT_THAT(tokens, testing::ElementsAre("The", "dog", "!", "A", "dog", "."));
  EXPECT_EQ(answer["sentences"], json::parse("[0, 3]"));
  EXPECT_EQ(answer["spaces"], json::parse(R"(["", " ", "", " ", "\n", "", ""])"));
}

TEST_F(SentenceRoutes, TokensAreExplainedWithThePreviousTag) {
  const json answer = post(tags_, "/v1/explain", R"({"tokens": ["the", "dog"], "top": 3})");
  EXPECT_EQ(answer["tokens"][0]["previous"], "<s>");
  EXPECT_EQ(answer["tokens"][1]["previous"], "DET");
  EXPECT_EQ(answer["tokens"][1]["label"], "NOUN");
  EXPECT_TRUE(answer["tokens"][1]["model"].contains("components"));
}

TEST_F(SentenceRoutes, ASpanIsNamedByBracketsOrPlaces) {
  const json text = post(types_, "/v1/predict", R"({"text": "we saw [Ann]"})");
  EXPECT_EQ(text["label"], "person");
  EXPECT_EQ(post(types_, "/v1/predict",
                 R"({"tokens": ["we", "saw", "Ann"], "start": 2, "end": 2})"),
            text);
  EXPECT_EQ(post(types_, "/v1/explain", R"({"text": "in [old Rome] ."})")["label"],
            "place");
}

TEST_F(SentenceRoutes, SaysWhatIsWrongWithASentence) {
  const auto problem = [&](const Service& service, const char* body, int status = 400) {
    return post(service, "/v1/predict", body, status)["error"]["problem"]
        .get<std::string>();
  };
  EXPECT_THAT(problem(tags_, R"({"text": "  "})"), testing::HasSubstr("no words"));
  EXPECT_THAT(problem(tags_, R"({"tokens": ["a", ""]})"), testing::HasSubstr("tokens"));
  EXPECT_THAT(problem(tags_, R"({"tokens": ["a"], "text": "a"})"),
              testing::HasSubstr("more than one"));
  EXPECT_THAT(
      problem(tags_, R"({"tokens": ["a"], "pos": ["x", "y"]})"),
      testing::AnyOf(testing::HasSubstr("2 entries"), testing::HasSubstr("no field")));
  EXPECT_THAT(problem(tags_, R"({"text": "a b c d e f g"})", 413),
              testing::HasSubstr("more than 6 tokens"));
  EXPECT_THAT(problem(types_, R"({"text": "no span"})"),
              testing::HasSubstr("marks no span"));
  EXPECT_THAT(problem(types_, R"({"text": "no ] span ["})"),
              testing::HasSubstr("marks no span"));
  EXPECT_THAT(problem(types_, R"({"tokens": ["a"]})"), testing::HasSubstr("no span"));
  EXPECT_THAT(problem(types_, R"({"tokens": ["a"], "start": 0, "end": 1})"),
              testing::HasSubstr("not in the sentence"));
}

TEST_F(SentenceRoutes, ReadyMadeFeaturesAreARow) {
  EXPECT_EQ(post(tags_, "/v1/predict", R"({"features": ["w=dog"]})")["label"], "NOUN");
}

}  // namespace
}  // namespace megadapt::serve
