#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "serve/current_service.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {

/// One connection, from first to last request. Its handlers run on one strand.
///
/// A timer bounds every wait: for the next request, for the rest of a request, and for the
/// client to receive the answer. Sending a byte now and then does not help a slow client,
/// because the limit is for the whole request.
class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  /// Called for every answer with method, path and status.
  using Log = std::function<void(std::string_view, std::string_view, int)>;

  Session(Socket socket, const CurrentService& service, const Limits& limits,
          const Log& log, std::function<void()> on_end);
  ~Session();

  void start();
  /// Answers 503 and closes.
  void turn_away();
  /// Answers the current request, or one that is just arriving, and closes.
  void finish();

 private:
  using ErrorCode = boost::system::error_code;
  using Clock = std::chrono::steady_clock;

  void wait_for_request();
  void read_header();
  void on_header(ErrorCode error);
  void read_body();
  void on_request(ErrorCode error);
  void refuse(ErrorCode error);
  void refuse(const Refusal& refusal);
  void send_continue();
  void send(Response response, bool head, bool keep_alive);
  void on_sent(ErrorCode error);
  void drain();
  void read_away();
  void close();
  void expire_after(std::chrono::milliseconds time);

  Socket socket_;
  const CurrentService& service_;
  const Limits& limits_;
  const Log& log_;
  std::function<void()> on_end_;
  boost::asio::steady_timer timer_;
  bool timed_out_ = false;
  bool waiting_ = false;    // no byte of the next request has arrived
  bool finishing_ = false;  // no request after this one
  bool keep_alive_ = false;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>>
      parser_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>>
      serializer_;
};

}  // namespace megadapt::serve
