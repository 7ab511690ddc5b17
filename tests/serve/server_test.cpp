// The server over real sockets, with clients that behave badly.
#include "serve/server.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "serve/http_client.hpp"
#include "serve/served_model.hpp"

namespace megadapt::serve {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing_support::HttpAnswer;
using testing_support::HttpClient;
using testing_support::post_text;
using testing_support::served_model;

constexpr const char* kRow = R"({"features": ["f1", "f4"]})";

/// A server on a free port, which stops at the end of the test.
class RunningServer {
 public:
  explicit RunningServer(const Limits& limits = {})
      : service_(
            std::make_shared<Service>(served_model(), ServiceOptions{.limits = limits})),
        server_(service_, {.address = {"127.0.0.1", 0}, .threads = 2}),
        port_(server_.port()),
        thread_([this] { all_answered_ = server_.run(stop_); }) {}
  ~RunningServer() { stop(); }

  std::uint16_t port() const { return port_; }
  void ask_to_stop() { stop_ = true; }
  bool stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return all_answered_;
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<bool> all_answered_{false};
  CurrentService service_;
  Server server_;
  std::uint16_t port_;
  std::thread thread_;
};

TEST(Server, AnswersManyRequestsOnOneConnection) {
  RunningServer server;
  HttpClient client(server.port());
  for (int i = 0; i < 50; ++i) {
    const HttpAnswer answer = client.post("/v1/predict", kRow);
    ASSERT_EQ(answer.status, 200);
    EXPECT_TRUE(json::parse(answer.body).contains("label"));
  }
  HttpAnswer page = client.get("/healthz?verbose=1");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.fields["content-security-policy"],
              testing::HasSubstr("default-src 'none'"));
  EXPECT_EQ(page.fields["x-content-type-options"], "nosniff");
}

TEST(Server, AnswersRequestsThatDoNotWaitForEachOther) {
  RunningServer server;
  HttpClient client(server.port());
  std::string all;
  for (int i = 0; i < 20; ++i) all += post_text("/v1/predict", kRow);
  ASSERT_TRUE(client.send(all));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, ReadsABodyInChunks) {
  RunningServer server;
  HttpClient client(server.port());
  client.send(
      "POST /v1/predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "e\r\n{\"features\": [\r\n6\r\n\"f1\"]}\r\n0\r\n\r\n");
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, HeadHasNoBody) {
  RunningServer server;
  HttpClient client(server.port());
  client.send("HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  const HttpAnswer head = client.receive(true);
  EXPECT_EQ(head.status, 200);
  EXPECT_NE(head.fields.at("content-length"), "0");
  EXPECT_EQ(client.get("/healthz").status, 200);
}

TEST(Server, ClosesWhenTheClientAsksForIt) {
  RunningServer server;
  HttpClient client(server.port());
  client.send(post_text("/v1/predict", kRow, "Connection: close\r\n"));
  EXPECT_EQ(client.receive().status, 200);
  EXPECT_TRUE(client.closed_within(10s));
}

TEST(Server, BadJsonIsAClearAnswerAndTheConnectionGoesOn) {
  RunningServer server;
  HttpClient client(server.port());
  const HttpAnswer bad = client.post("/v1/predict", "{\"features\": [");
  EXPECT_EQ(bad.status, 400);
  EXPECT_THAT(json::parse(bad.body)["error"]["problem"],
              testing::HasSubstr("not valid JSON"));
  EXPECT_EQ(client.post("/v1/predict", kRow).status, 200);
}

TEST(Server, RefusesWhatIsNotHttp) {
  RunningServer server;
  for (const char* text :
       {"hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\r\n\r\n",
        "POST /v1/predict HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        "POST /v1/predict HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n"}) {
    HttpClient client(server.port());
    client.send(text);
    EXPECT_EQ(client.receive().status, 400) << text;
    EXPECT_TRUE(client.closed_within(10s));
  }
}

TEST(Server, RefusesAHugeBodyBeforeItArrives) {
  RunningServer server;
  HttpClient client(server.port());
  client.send("POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n");
  EXPECT_EQ(client.receive().status, 413);
}

TEST(Server, AClientThatSendsAHundredMegabytesReadsItsAnswer) {
  RunningServer server;
  HttpClient client(server.port());
  client.send("POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n");
  const std::string piece(1 << 20, ' ');
  for (int i = 0; i < 100 && client.send(piece); ++i) {
  }
  EXPECT_EQ(client.receive().status, 413);
}

TEST(Server, RefusesAnEndlessBodyInChunks) {
  RunningServer server({.body_bytes = 10000});
  HttpClient client(server.port());
  client.send("POST /v1/predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "1000\r\n" + std::string(4096, ' ') + "\r\n";
  for (int i = 0; i < 4; ++i) client.send(chunk);
  EXPECT_EQ(client.receive().status, 413);
}

TEST(Server, RefusesAnEndlessHeader) {
  RunningServer server;
  HttpClient client(server.port());
  client.send("GET / HTTP/1.1\r\nX: " + std::string(100000, 'x'));
  EXPECT_EQ(client.receive().status, 431);
}

TEST(Server, RefusesTooManyFields) {
  RunningServer server({.header_fields = 10});
  const auto status = [&](int fields) {
    std::string text = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
    for (int i = 1; i < fields; ++i) text += "F: 1\r\n";
    HttpClient client(server.port());
    client.send(text + "\r\n");
    return client.receive().status;
  };
  EXPECT_EQ(status(10), 200);
  EXPECT_EQ(status(11), 431);
}

// Two programs could read these in two ways, and a request could pass a proxy unseen.
TEST(Server, RefusesHeadersThatCanBeReadInTwoWays) {
  RunningServer server;
  for (const char* fields :
       {"Host: x\r\nHost: y\r\n", "Accept: */*\r\n",
        "Host: x\r\nTransfer-Encoding: xchunked\r\nContent-Length: 5\r\n",
        "Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Host: x\r\nTransfer-Encoding: gzip, chunked\r\n",
        "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "Host: x\r\nOrigin: http://x\r\nOrigin: http://y\r\n"}) {
    HttpClient client(server.port());
    client.send(std::string("POST /v1/predict HTTP/1.1\r\n") + fields + "\r\n0\r\n\r\n");
    EXPECT_EQ(client.receive().status, 400) << fields;
    EXPECT_TRUE(client.closed_within(10s)) << fields;
  }
}

TEST(Server, ANewModelDropsNoRequest) {
  const auto with_model = [](const char* text) {
    return std::make_shared<Service>(served_model(), ServiceOptions{.model_json = text});
  };
  CurrentService current(with_model("1"));
  Server server(current, {.address = {"127.0.0.1", 0}, .threads = 2});
  std::atomic<bool> stop{false};
  std::thread thread([&] { server.run(stop); });
  std::atomic<int> answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) {
    clients.emplace_back([&] {
      HttpClient client(server.port());
      for (int request = 0; request < 200; ++request) {
        EXPECT_EQ(client.post("/v1/predict", kRow).status, 200);
        ++answered;
      }
    });
  }
  for (int swap = 0; answered < 600; ++swap) {
    current.set(with_model(swap % 2 ? "1" : "2"));
    std::this_thread::yield();
  }
  current.set(with_model("3"));
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(HttpClient(server.port()).get("/v1/model").body, "3");
  stop = true;
  thread.join();
}

TEST(Server, CountsWhatItRefusesBeforeARouteIsKnown) {
  RunningServer server;
  HttpClient client(server.port());
  client.send("hello\r\n\r\n");
  EXPECT_EQ(client.receive().status, 400);
  EXPECT_THAT(HttpClient(server.port()).get("/metrics").body,
              testing::HasSubstr("{route=\"none\",status=\"400\"} 1\n"));
}

TEST(Server, AnswersExpectWithContinue) {
  RunningServer server;
  HttpClient client(server.port());
  const std::string request = post_text("/v1/predict", kRow, "Expect: 100-continue\r\n");
  const std::size_t head = request.size() - std::string_view(kRow).size();
  client.send(request.substr(0, head));
  EXPECT_EQ(client.receive().status, 100);
  client.send(request.substr(head));
  EXPECT_EQ(client.receive().status, 200);
}

TEST(Server, ARequestThatDripsInIsGivenUp) {
  RunningServer server({.request = 300ms});
  HttpClient client(server.port());
  const std::string request = post_text("/v1/predict", kRow);
  // Each byte arrives soon after the previous one, but the whole request takes too long.
  for (std::size_t i = 0; i < 10; ++i) {
    client.send(request.substr(i, 1));
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_EQ(client.receive().status, 408);
  EXPECT_TRUE(client.closed_within(10s));
}

TEST(Server, ABodyThatNeverComesIsGivenUp) {
  RunningServer server({.request = 200ms});
  HttpClient client(server.port());
  client.send("POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{");
  EXPECT_EQ(client.receive().status, 408);
}

TEST(Server, AnIdleConnectionIsClosedWithoutAWord) {
  RunningServer server({.idle = 100ms});
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/healthz").status, 200);
  EXPECT_TRUE(client.closed_within(10s));
}

TEST(Server, SlowClientsDoNotHoldUpOthers) {
  RunningServer server;
  std::vector<HttpClient> slow;
  for (int i = 0; i < 50; ++i) {
    slow.emplace_back(server.port());
    slow.back().send("POST /v1/predict HTTP/1.1\r\nHost: x\r\nContent-Le");
  }
  HttpClient client(server.port());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.post("/v1/predict", kRow).status, 200);
}

TEST(Server, TwoHundredConnectionsAtOnce) {
  RunningServer server;
  std::vector<HttpClient> clients;
  for (int i = 0; i < 200; ++i) clients.emplace_back(server.port());
  for (int round = 0; round < 5; ++round) {
    for (HttpClient& client : clients) client.send(post_text("/v1/predict", kRow));
    for (HttpClient& client : clients) ASSERT_EQ(client.receive().status, 200);
  }
}

TEST(Server, OneConnectionTooManyIsRefused) {
  RunningServer server({.connections = 2});
  HttpClient first(server.port());
  HttpClient second(server.port());
  EXPECT_EQ(first.get("/healthz").status, 200);
  EXPECT_EQ(second.get("/healthz").status, 200);
  {
    HttpClient third(server.port());
    EXPECT_EQ(third.receive().status, 503);
    EXPECT_TRUE(third.closed_within(10s));
  }
  EXPECT_EQ(first.get("/healthz").status, 200);
}

TEST(Server, AClosedConnectionMakesRoom) {
  RunningServer server({.connections = 1});
  for (int i = 0; i < 5; ++i) {
    // The server may notice the end of the previous connection only after the new one.
    int status = 503;
    while (status == 503) {
      HttpClient client(server.port());
      status = client.get("/healthz").status;
    }
    EXPECT_EQ(status, 200);
  }
}

TEST(Server, StopsAtOnceWithoutRequests) {
  RunningServer server;
  const HttpClient idle(server.port());
  EXPECT_TRUE(server.stop());
}

TEST(Server, AnswersARequestUnderWayWhenItStops) {
  RunningServer server;
  HttpClient client(server.port());
  const std::string request = post_text("/v1/predict", kRow);
  EXPECT_EQ(client.get("/healthz").status, 200);  // the connection is accepted
  client.send(request.substr(0, 30));
  std::this_thread::sleep_for(50ms);
  server.ask_to_stop();
  std::this_thread::sleep_for(100ms);
  client.send(request.substr(30));
  const HttpAnswer answer = client.receive();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.fields.at("connection"), "close");
  EXPECT_TRUE(server.stop());
}

TEST(Server, CutsOffRequestsThatExceedTheGracePeriod) {
  RunningServer server({.request = 60s, .grace = 100ms});
  HttpClient client(server.port());
  EXPECT_EQ(client.get("/healthz").status, 200);
  client.send("POST /v1/predict HTTP/1.1\r\n");
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(server.stop());
}

TEST(Server, StoppingUnderLoadAnswersOrClosesEveryConnection) {
  RunningServer server;
  std::atomic<int> answered{0}, ended{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      HttpClient client(server.port());
      for (;;) {
        const HttpAnswer answer = client.post("/v1/predict", kRow);
        if (answer.status == 0) break;
        EXPECT_EQ(answer.status, 200);
        ++answered;
        if (answer.fields.contains("connection")) break;  // only ever "close"
      }
      ++ended;
    });
  }
  while (answered < 200) std::this_thread::yield();
  EXPECT_TRUE(server.stop());
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(ended, 8);
}

TEST(Server, RefusesAnInvalidOrUsedAddress) {
  const CurrentService service(std::make_shared<Service>(served_model(), ServiceOptions{}));
  EXPECT_THROW(Server(service, {.address = {"not an address", 0}}), UsageError);
  const Server first(service, {.address = {"127.0.0.1", 0}});
  EXPECT_THROW(Server(service, {.address = {"127.0.0.1", first.port()}}), UsageError);
}

}  // namespace
}  // namespace megadapt::serve
