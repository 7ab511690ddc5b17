#include "serve/session.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <iterator>

#include "megadapt/error.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

// A client that is refused while it is still sending must be read from for a while: closing
// at once would reset the connection and lose the answer.
constexpr std::chrono::milliseconds kDrainTime{2000};
// At shutdown, an idle connection gets this long for a request that is already on its way.
constexpr std::chrono::milliseconds kLastCall{200};

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

boost::beast::string_view view(std::string_view text) { return {text.data(), text.size()}; }

// Returns the answer to a request that could not be read; nothing if the connection closed.
std::optional<Refusal> refusal_for(const boost::system::error_code& error, bool timed_out,
                                   const Limits& limits) {
  if (timed_out) {
    return Refusal{
        408,
        fmt::format("the request took longer than {} ms to arrive", limits.request.count()),
        "send it in one go"};
  }
  if (error == http::error::body_limit) {
    return Refusal{
        413, fmt::format("the body is larger than {} bytes", limits.body_bytes),
        "send fewer rows at a time, or start the server with a larger --max-body"};
  }
  if (error == http::error::header_limit) {
    return Refusal{431,
                   fmt::format("the header is larger than {} bytes", limits.header_bytes),
                   "send shorter fields"};
  }
  const bool closed =
      error == http::error::end_of_stream || error == http::error::partial_message;
  if (closed || error.category() != make_error_code(http::error::bad_method).category()) {
    return std::nullopt;
  }
  return Refusal{400, fmt::format("this is not HTTP: {}", error.message()),
                 "send an HTTP/1.1 request"};
}

// Returns the answer to a header that the parser accepts but that other programs could read
// in another way: a request could hide behind one that a proxy in front of us has checked
// (RFC 9112, sections 3.2 and 6.1).
std::optional<Refusal> refusal_for(const http::request<http::string_body>& request,
                                   const Limits& limits) {
  const auto count = [&](http::field name) {
    const auto found = request.equal_range(name);
    return std::distance(found.first, found.second);
  };
  if (std::distance(request.begin(), request.end()) >
      static_cast<std::ptrdiff_t>(limits.header_fields)) {
    return Refusal{431,
                   fmt::format("the header has more than {} fields", limits.header_fields),
                   "send fewer fields"};
  }
  if (count(http::field::host) != 1 && request.version() >= 11) {
    return Refusal{400, "there is not exactly one Host field", "send one"};
  }
  if (count(http::field::origin) > 1) {
    return Refusal{400, "there is more than one Origin field", "send one"};
  }
  const auto codings = count(http::field::transfer_encoding);
  const bool chunked =
      codings == 1 &&
      boost::beast::iequals(request[http::field::transfer_encoding], "chunked");
  if (codings > 0 && (!chunked || count(http::field::content_length) > 0)) {
    return Refusal{400, "the Transfer-Encoding is not 'chunked' alone",
                   "send the body with Content-Length, or in chunks without it"};
  }
  return std::nullopt;
}

}  // namespace

Session::Session(Socket socket, const CurrentService& service, const Limits& limits,
                 const Log& log, std::function<void()> on_end)
    : socket_(std::move(socket)),
      service_(service),
      limits_(limits),
      log_(log),
      on_end_(std::move(on_end)),
      timer_(socket_.get_executor()),
      buffer_(limits.header_bytes + (std::size_t{64} << 10)) {}

Session::~Session() { on_end_(); }

void Session::start() {
  ErrorCode ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  asio::post(socket_.get_executor(),
             [self = shared_from_this()] { self->wait_for_request(); });
}

void Session::turn_away() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->finishing_ = true;
    self->service_.get()->metrics().add_refusal(503);
    self->send(refused({503, "the server has all the connections it may have",
                        "try again, or start it with a larger --max-connections"}),
               false, false);
  });
}

void Session::finish() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] {
    self->finishing_ = true;
    if (self->waiting_) self->expire_after(kLastCall);
  });
}

// Setting the timer cancels the previous wait. If that has already fired, its handler sees
// that the expiry is in the future and does nothing.
void Session::expire_after(std::chrono::milliseconds time) {
  timed_out_ = false;
  timer_.expires_after(time);
  timer_.async_wait([weak = weak_from_this()](ErrorCode error) {
    const auto self = weak.lock();
    if (!self || error || self->timer_.expiry() > Clock::now()) return;
    self->timed_out_ = true;
    ErrorCode ignored;
    self->socket_.cancel(ignored);
  });
}

void Session::wait_for_request() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits_.header_bytes));
  parser_->body_limit(limits_.body_bytes);
  if (buffer_.size() > 0) return read_header();  // pipelined: sent before the answer
  waiting_ = true;
  expire_after(finishing_ ? kLastCall : limits_.idle);
  socket_.async_read_some(buffer_.prepare(4096),
                          [self = shared_from_this()](ErrorCode error, std::size_t bytes) {
                            self->waiting_ = false;
                            if (error) return self->close();
                            self->buffer_.commit(bytes);
                            self->read_header();
                          });
}

void Session::read_header() {
  expire_after(limits_.request);
  http::async_read_header(socket_, buffer_, *parser_,
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            self->on_header(error);
                          });
}

void Session::on_header(ErrorCode error) {
  if (error) return refuse(error);
  if (const auto refusal = refusal_for(parser_->get(), limits_)) return refuse(*refusal);
  const bool expects =
      boost::beast::iequals(parser_->get()[http::field::expect], "100-continue");
  expects && !parser_->is_done() ? send_continue() : read_body();
}

void Session::send_continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(kContinue),
                    [self = shared_from_this()](ErrorCode error, std::size_t) {
                      error ? self->close() : self->read_body();
                    });
}

void Session::read_body() {
  if (timed_out_) return refuse(ErrorCode());  // timed out just as the header was complete
  if (parser_->is_done()) return on_request({});
  http::async_read(socket_, buffer_, *parser_,
                   [self = shared_from_this()](ErrorCode error, std::size_t) {
                     self->on_request(error);
                   });
}

void Session::on_request(ErrorCode error) {
  if (error) return refuse(error);
  const auto& message = parser_->get();
  const std::string_view target = view(message.target());
  const Request request{.method = view(message.method_string()),
                        .path = target.substr(0, target.find('?')),
                        .host = view(message[http::field::host]),
                        .origin = view(message[http::field::origin]),
                        .body = message.body()};
  Response response = service_.get()->answer(request);
  if (log_) log_(request.method, request.path, response.status);
  send(std::move(response), message.method() == http::verb::head, message.keep_alive());
}

void Session::refuse(ErrorCode error) {
  const auto refusal = refusal_for(error, timed_out_, limits_);
  refusal ? refuse(*refusal) : close();
}

void Session::refuse(const Refusal& refusal) {
  if (log_) log_("-", "-", refusal.status);
  service_.get()->metrics().add_refusal(refusal.status);
  send(refused(refusal), false, false);
}

void Session::send(Response response, bool head, bool keep_alive) {
  keep_alive_ = keep_alive && !finishing_;
  response_ = {};
  response_.version(11);
  response_.result(static_cast<unsigned>(response.status));
  response_.set(http::field::server, view(std::string_view("megadapt")));
  response_.set(http::field::content_type, response.content_type);
  response_.set(http::field::cache_control, "no-store");
  for (const auto& [name, value] : security_fields()) response_.set(name, value);
  for (const auto& [name, value] : response.fields) response_.set(name, value);
  response_.keep_alive(keep_alive_);
  response_.content_length(response.body.size());
  if (!head) response_.body() = std::move(response.body);
  serializer_.emplace(response_);
  expire_after(limits_.request);
  const auto sent = [self = shared_from_this()](ErrorCode error, std::size_t) {
    self->on_sent(error);
  };
  head ? http::async_write_header(socket_, *serializer_, sent)
       : http::async_write(socket_, *serializer_, sent);
}

void Session::on_sent(ErrorCode error) {
  if (error) return close();
  keep_alive_ ? wait_for_request() : drain();
}

void Session::drain() {
  ErrorCode error;
  socket_.shutdown(Socket::shutdown_send, error);
  if (error) return close();
  buffer_.clear();
  expire_after(kDrainTime);
  read_away();
}

void Session::read_away() {
  socket_.async_read_some(buffer_.prepare(16384),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            // A timer that has fired no longer cancels reads, so check the
                            // time here.
                            const bool over = self->timer_.expiry() <= Clock::now();
                            error || over ? self->close() : self->read_away();
                          });
}

void Session::close() {
  ErrorCode ignored;
  timer_.cancel(ignored);
  socket_.close(ignored);
}

}  // namespace megadapt::serve
