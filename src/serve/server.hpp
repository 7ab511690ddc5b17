#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "serve/current_service.hpp"

namespace megadapt::serve {

struct Address {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8080;  ///< 0: any free port
};

struct ServerOptions {
  Address address = {};
  int threads = 1;
  /// Called for every answer with method, path and status, from several threads.
  std::function<void(std::string_view, std::string_view, int)> log = {};
};

/// Answers HTTP/1.1 requests with a Service.
///
///     Server server(service, {.address = {"127.0.0.1", 0}, .threads = 2});
///     server.run(stop);  // until *stop is set
class Server {
 public:
  /// Starts listening and its threads. Throws UsageError if the address is invalid or in
  /// use, ResourceError if the threads cannot be created. `service` must outlive the server;
  /// the limits are those of its first service.
  Server(const CurrentService& service, ServerOptions options);
  ~Server();

  std::uint16_t port() const;
  /// Answers until `stop` is set. Then accepts no new connection, finishes requests in
  /// progress within the limits' grace, and returns whether all were answered.
  /// Meanwhile it calls `on_tick` many times a second.
  bool run(const std::atomic<bool>& stop, const std::function<void()>& on_tick = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt::serve
