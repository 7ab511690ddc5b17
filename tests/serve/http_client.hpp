#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace megadapt::testing_support {

struct HttpAnswer {
  int status = 0;                             ///< 0: the connection ended without an answer
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::string body;
};

/// A connection to a server on this machine. It sends exactly the given bytes, which may be
/// invalid HTTP.
class HttpClient {
 public:
  explicit HttpClient(std::uint16_t port);
  ~HttpClient();
  HttpClient(HttpClient&& other) noexcept;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Returns false if the server has closed the connection.
  bool send(std::string_view bytes);
  /// Waits for one complete answer; an interim answer (100 Continue) counts as one.
  HttpAnswer receive(bool without_body = false);
  /// Returns whether the server closes within `time` without sending more.
  bool closed_within(std::chrono::milliseconds time);

  HttpAnswer get(std::string_view path);
  HttpAnswer post(std::string_view path, std::string_view body);

 private:
  bool read_more(int timeout_ms);

  int socket_ = -1;
  std::string seen_;
};

/// Returns the request as text; `more` are further header lines, each ending with CRLF.
std::string post_text(std::string_view path, std::string_view body,
                      std::string_view more = {});

}  // namespace megadapt::testing_support
