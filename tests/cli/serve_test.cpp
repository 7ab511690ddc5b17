#include <signal.h>

#include <thread>

#include "cli/cli_fixture.hpp"
#include "serve/http_client.hpp"

namespace megadapt {
namespace {

using testing_support::HttpAnswer;
using testing_support::HttpClient;

class Serve : public Cli {
 protected:
  Serve() { train_weather("megam"); }
  RunningCommand start(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"serve", "weather.mega", "--port", "0", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunningCommand(command(arguments), folder());
  }
  static std::uint16_t port_of(RunningCommand& server) {
    return nlohmann::json::parse(server.read_line())["port"];
  }
};

TEST_F(Serve, AnswersAsPredictDoes) {
  RunningCommand server = start();
  HttpClient client(port_of(server));
  const HttpAnswer answer = client.post("/v1/predict", R"({"features": ["warm", "dry"]})");
  EXPECT_EQ(answer.body,
            output_of({"predict", "weather.mega", "-", "--json", "-u"}, "warm dry\n"));
  const auto info = nlohmann::json::parse(client.get("/v1/model").body);
  EXPECT_EQ(info["system"], "megam");
  server.send_signal(SIGTERM);
  const CommandResult result = server.finish();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, StartsWith("listening on http://127.0.0.1:"));
}

TEST_F(Serve, SigtermUnderLoadAnswersWhatIsUnderWay) {
  RunningCommand server = start({"--threads", "2"});
  const std::uint16_t port = port_of(server);
  std::atomic<int> answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&] {
      HttpClient client(port);
      for (;;) {
        const HttpAnswer answer =
            client.post("/v1/predict", R"({"features": ["warm", "dry"]})");
        if (answer.status == 0) return;
        EXPECT_EQ(answer.status, 200);
        ++answered;
        if (answer.fields.contains("connection")) return;  // only ever "close"
      }
    });
  }
  while (answered < 100) std::this_thread::yield();
  server.send_signal(SIGTERM);
  EXPECT_EQ(server.finish().exit_code, 0);
  for (std::thread& client : clients) client.join();
}

TEST_F(Serve, OptionsSetTheLimits) {
  RunningCommand server = start({"--max-rows", "1", "--max-body", "60"});
  const std::uint16_t port = port_of(server);
  EXPECT_EQ(HttpClient(port).post("/v1/predict", std::string(61, ' ')).status, 413);
  const std::string two = R"({"rows":[{"features":["a"]},{"features":["a"]}]})";
  EXPECT_EQ(HttpClient(port).post("/v1/predict", two).status, 413);
  server.send_signal(SIGINT);
  EXPECT_EQ(server.finish().exit_code, 0);
}

TEST_F(Serve, OnLoopbackOnlyKnownHostNamesAreAnswered) {
  RunningCommand server = start({"--allow-host", "models.example"});
  const std::uint16_t port = port_of(server);
  const auto status = [&](const std::string& host) {
    HttpClient client(port);
    client.send("GET /healthz HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    return client.receive().status;
  };
  EXPECT_EQ(status("localhost"), 200);
  EXPECT_EQ(status("models.example"), 200);
  EXPECT_EQ(status("evil.example"), 421);
  server.send_signal(SIGTERM);
  EXPECT_EQ(server.finish().exit_code, 0);
}

TEST_F(Serve, SaysWhenThePortIsTaken) {
  RunningCommand first = start();
  const std::string port = std::to_string(port_of(first));
  const CommandResult second = run({"serve", "weather.mega", "--port", port});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("port " + port));
  EXPECT_THAT(second.err, HasSubstr("\nfix: choose another --port"));
  first.send_signal(SIGTERM);
  EXPECT_EQ(first.finish().exit_code, 0);
}

TEST_F(Serve, HangupLoadsTheModelAgain) {
  RunningCommand server = start();
  const std::uint16_t port = port_of(server);
  EXPECT_THAT(server.read_error_line(), StartsWith("listening on"));
  const auto system = [&] {
    return nlohmann::json::parse(HttpClient(port).get("/v1/model").body)["system"];
  };
  EXPECT_EQ(system(), "megam");
  train_weather("mix");
  server.send_signal(SIGHUP);
  EXPECT_EQ(server.read_error_line(), "loaded weather.mega again");
  EXPECT_EQ(system(), "mix");
  write("weather.mega", "damaged");
  server.send_signal(SIGHUP);
  EXPECT_THAT(server.read_error_line(), StartsWith("warning: the old model stays: "));
  EXPECT_EQ(system(), "mix");
  EXPECT_THAT(HttpClient(port).get("/metrics").body,
              HasSubstr("megadapt_failed_model_loads_total 1\n"));
  server.send_signal(SIGTERM);
  EXPECT_EQ(server.finish().exit_code, 0);
}

// A sanitizer needs more address space than the limit leaves.
#ifndef MEGADAPT_SANITIZED
TEST_F(Serve, SaysWhenItCannotStartItsThreads) {
  const CommandResult result =
      testing_support::run_command({"bash", "-c",
                                    "ulimit -v 1000000; exec " MEGADAPT_PROGRAM
                                    " serve weather.mega --port 0 --threads 2000"},
                                   folder());
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, StartsWith("error: cannot start 2000 threads: "));
}
#endif

}  // namespace
}  // namespace megadapt
