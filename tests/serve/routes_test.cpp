#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "megadapt/classifier.hpp"
#include "serve/responses.hpp"
#include "serve/served_model.hpp"
#include "serve/service.hpp"

namespace megadapt::serve {
namespace {

using nlohmann::json;
using testing_support::served_model;

class Routes : public testing::Test {
 protected:
  Response get(std::string_view path) const {
    return service_.answer({.method = "GET", .path = path, .host = "x", .body = {}});
  }
  Response post(std::string_view path, std::string_view body) const {
    return service_.answer({.method = "POST", .path = path, .host = "x", .body = body});
  }
  json ok(const Response& response) const {
    EXPECT_EQ(response.status, 200) << response.body;
    return json::parse(response.body);
  }

  Service service_{served_model(), {.limits = {.rows = 5}, .model_json = "{\"system\":1}"}};
};

TEST_F(Routes, PredictsOneRow) {
  const json answer = ok(post("/v1/predict", R"({"features": ["f1", "f4", "f7"]})"));
  double total = 0;
  for (const auto& [label, p] : answer["probabilities"].items()) total += p.get<double>();
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_TRUE(answer["probabilities"].contains(answer["label"]));
  EXPECT_GT(answer["general"], 0);
  EXPECT_FALSE(answer.contains("id"));
}

TEST_F(Routes, ManyRowsKeepTheirOrderAndIds) {
  const json answer = ok(post("/v1/predict",
                              R"({"rows": [{"features": ["f1"], "id": "x"},
                                           {"features": {"f1": 1}, "domain": "out"}]})"));
  ASSERT_EQ(answer["rows"].size(), 2u);
  EXPECT_EQ(answer["rows"][0]["id"], "x");
  EXPECT_NE(answer["rows"][0]["probabilities"], answer["rows"][1]["probabilities"]);
  EXPECT_EQ(ok(post("/v1/predict", R"({"rows": []})"))["rows"], json::array());
}

TEST_F(Routes, TextBecomesFeatures) {
  const json text = ok(post("/v1/predict", R"({"text": "F1, f4!"})"));
  const json features = ok(post("/v1/predict", R"({"features": ["f1", "f4"]})"));
  EXPECT_EQ(text, features);
}

TEST_F(Routes, ExplainsAsTheLibraryDoes) {
  const json answer = ok(post("/v1/explain", R"({"features": ["f1", "f4"], "id": "7"})"));
  EXPECT_EQ(answer["id"], "7");
  EXPECT_EQ(answer["model"]["components"].size(), 2u);
  const json chosen =
      ok(post("/v1/explain", R"({"features": ["f1"], "label": "c", "against": "b"})"));
  EXPECT_EQ(chosen["label"], "c");
  EXPECT_EQ(chosen["against"], "b");
  const json few =
      ok(post("/v1/explain", R"({"rows": [{"features": ["f1", "f2"]}], "top": 1})"));
  EXPECT_EQ(few["rows"][0]["model"]["components"][0]["contributions"].size(), 1u);
}

TEST_F(Routes, AnUnknownDomainIsAnsweredAsTheTargetWithAWarning) {
  json elsewhere =
      ok(post("/v1/predict", R"({"features": ["f1"], "domain": "elsewhere"})"));
  EXPECT_EQ(elsewhere["warnings"][0]["kind"], "unknown-domain");
  EXPECT_THAT(elsewhere["warnings"][0]["problem"].get<std::string>(),
              testing::HasSubstr("such as 'elsewhere', predicted as 'in'"));
  elsewhere.erase("warnings");
  EXPECT_EQ(elsewhere, ok(post("/v1/predict", R"({"features": ["f1"]})")));
}

// Every error has the same form: the fix is not part of the problem, and an error about one
// of several rows has its index.
TEST_F(Routes, ErrorsHaveOneForm) {
  const auto error_of = [&](const char* path, const char* body) {
    return json::parse(post(path, body).body)["error"];
  };
  const json rows = error_of(
      "/v1/explain", R"({"rows": [{"features": ["f1"]}], "label": "a", "against": "a"})");
  EXPECT_EQ(rows["status"], 400);
  EXPECT_EQ(rows["row"], 0);
  EXPECT_THAT(rows["problem"].get<std::string>(), testing::Not(testing::HasSubstr("fix:")));
  const json same =
      error_of("/v1/explain", R"({"features": ["f1"], "label": "a", "against": "a"})");
  EXPECT_FALSE(same.contains("row"));
  for (const char* body : {R"({"rows": [{"features": 3}]})", R"({"features": 3})", "{", "3",
                           R"({"feature": []})", R"({"rows": 3})"}) {
    const json error = error_of("/v1/predict", body);
    EXPECT_EQ(error["status"], 400) << body;
    EXPECT_THAT(error["problem"].get<std::string>(),
                testing::Not(testing::HasSubstr("\n")));
    EXPECT_NE(error["fix"].get<std::string>(), "") << body;
    EXPECT_EQ(error.contains("row"), std::string_view(body).starts_with("{\"rows\": ["))
        << body;
  }
}

TEST_F(Routes, UnknownLabelsAreRefused) {
  EXPECT_EQ(post("/v1/explain", R"({"features": [], "label": "z"})").status, 400);
  EXPECT_EQ(post("/v1/explain", R"({"features": [], "label": "a", "against": "a"})").status,
            400);
}

TEST_F(Routes, ModelHealthAndDescription) {
  EXPECT_EQ(ok(get("/v1/model"))["system"], 1);
  EXPECT_EQ(ok(get("/healthz"))["status"], "ok");
  const json api = ok(get("/openapi.json"));
  EXPECT_EQ(api["openapi"], "3.0.3");
  for (const char* path : {"/v1/predict", "/v1/explain", "/v1/model", "/healthz"}) {
    EXPECT_TRUE(api["paths"].contains(path)) << path;
  }
  EXPECT_EQ(get("/").status, 200);
}

// Checks that every reference in the description can be resolved.
void check_references(const json& value, const json& api) {
  if (value.is_object() && value.contains("$ref")) {
    const std::string target = value["$ref"];
    ASSERT_TRUE(target.starts_with("#/"));
    EXPECT_TRUE(api.contains(json::json_pointer(target.substr(1)))) << target;
  }
  if (!value.is_structured()) return;
  for (const json& item : value) check_references(item, api);
}

TEST_F(Routes, TheDescriptionIsWhole) {
  const json api = ok(get("/openapi.json"));
  check_references(api, api);
}

TEST_F(Routes, OtherPathsAndMethods) {
  EXPECT_EQ(get("/v1/nothing").status, 404);
  EXPECT_EQ(get("/../etc/passwd").status, 404);
  const Response wrong = get("/v1/predict");
  EXPECT_EQ(wrong.status, 405);
  EXPECT_THAT(wrong.fields, testing::Contains(testing::Pair("Allow", "POST")));
  EXPECT_EQ(post("/healthz", "").status, 405);
}

TEST_F(Routes, ServesTheFilesOfTheFrontEnd) {
  const Service with_page(served_model(), {.files = {{"/", "text/html", "<p>explorer"},
                                                     {"/app.js", "text/javascript", "1"}}});
  const auto answer = [&](std::string_view method, std::string_view path) {
    return with_page.answer({.method = method, .path = path, .host = "x", .body = {}});
  };
  EXPECT_EQ(answer("GET", "/").body, "<p>explorer");
  EXPECT_EQ(answer("GET", "/app.js").content_type, "text/javascript");
  EXPECT_EQ(answer("POST", "/app.js").status, 404);
  EXPECT_EQ(answer("GET", "/healthz").status, 200);
}

TEST_F(Routes, HostileNamesStayData) {
  const Response answer =
      post("/v1/explain", R"({"features": ["<script>alert(1)</script>"]})");
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(ok(answer)["unseen"][0], "<script>alert(1)</script>");
}

TEST_F(Routes, WorkThatTakesTooLongIsGivenUp) {
  const Service hasty(served_model(), {.limits = {.work = std::chrono::milliseconds(-1)}});
  const Response answer = hasty.answer({.method = "POST",
                                        .path = "/v1/predict",
                                        .host = "x",
                                        .body = R"({"features": ["f1"]})"});
  EXPECT_EQ(answer.status, 503);
}

TEST_F(Routes, OnlyKnownHostsAreAnswered) {
  const Service guarded(served_model(), {.hosts = {"localhost", "::1"}});
  const auto status = [&](std::string_view host) {
    return guarded.answer({.method = "GET", .path = "/healthz", .host = host, .body = {}})
        .status;
  };
  EXPECT_EQ(status("localhost:8080"), 200);
  EXPECT_EQ(status("LocalHost"), 200);
  EXPECT_EQ(status("[::1]:8080"), 200);
  EXPECT_EQ(status("evil.example:8080"), 421);
  EXPECT_EQ(status(""), 421);
  EXPECT_EQ(status("["), 421);
}

// A name that only begins or ends like one of ours is another name.
TEST_F(Routes, HostsAreReadStrictly) {
  const Service guarded(served_model(), {.hosts = {"localhost", "127.0.0.1", "::1"}});
  for (const char* host :
       {"[::1].evil.com", "[::1]evil.com", "[::1", "localhost:99999evil.com",
        "localhost:99999", "localhost:", "localhost:80:80", "localhost.",
        "localhost@evil.com", "evil.com/localhost", "localhost evil.com",
        "127.0.0.1.evil.com", "[]", ":80"}) {
    EXPECT_EQ(guarded.answer({.method = "GET", .path = "/healthz", .host = host}).status,
              421)
        << host;
  }
}

TEST_F(Routes, PagesOfOtherSitesAreRefused) {
  const Service guarded(served_model(), {.hosts = {"localhost", "models.example"},
                                         .page_hosts = {"models.example"}});
  const auto status = [&](std::string_view origin) {
    return guarded
        .answer({.method = "POST",
                 .path = "/v1/predict",
                 .host = "localhost:8080",
                 .origin = origin,
                 .body = R"({"features": ["f1"]})"})
        .status;
  };
  EXPECT_EQ(status(""), 200);  // not sent by a page
  EXPECT_EQ(status("http://localhost:8080"), 200);
  EXPECT_EQ(status("https://models.example"), 200);
  for (const char* origin :
       {"https://evil.example", "null", "http://localhost:3000", "http://localhost",
        "http://localhost:8080.evil.example", "file://", "https://models.example.evil.com",
        "https://evil.com/models.example", "localhost:8080"}) {
    EXPECT_EQ(status(origin), 403) << origin;
  }
}

TEST_F(Routes, MetricsCountRequestsAndRows) {
  post("/v1/predict", R"({"rows": [{"features": ["f1"]}, {"features": ["f2"]}]})");
  post("/v1/predict", "not JSON");
  get("/nothing");
  get("/nothing/else");
  const Response metrics = get("/metrics");
  EXPECT_EQ(metrics.content_type, "text/plain; version=0.0.4; charset=utf-8");
  for (const char* line :
       {"megadapt_requests_total{route=\"/v1/predict\",status=\"200\"} 1\n",
        "megadapt_requests_total{route=\"/v1/predict\",status=\"400\"} 1\n",
        "megadapt_requests_total{route=\"other\",status=\"404\"} 2\n",
        "megadapt_request_seconds_bucket{le=\"+Inf\"} 4\n",
        "megadapt_request_seconds_count 4\n", "megadapt_rows_total 2\n",
        "# TYPE megadapt_request_seconds histogram\n"}) {
    EXPECT_THAT(metrics.body, testing::HasSubstr(line));
  }
}

TEST(SecurityFields, AllowNothingFromElsewhere) {
  const auto& fields = security_fields();
  EXPECT_THAT(fields, testing::Contains(testing::Pair(
                          "Content-Security-Policy",
                          testing::AllOf(testing::HasSubstr("default-src 'none'"),
                                         testing::Not(testing::HasSubstr("unsafe"))))));
}

}  // namespace
}  // namespace megadapt::serve
