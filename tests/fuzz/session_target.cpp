#include <sys/socket.h>

#include <boost/asio/io_context.hpp>

#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "serve/served_model.hpp"
#include "serve/session.hpp"

namespace megadapt::fuzz {
namespace {

// A connection of two sockets in this process. A session takes them for TCP.
class Connection {
 public:
  explicit Connection(const serve::CurrentService& service)
      : limits_(service.get()->limits()) {
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    client_ = ends[0];
    serve::Session::Socket socket(context_);
    socket.assign(boost::asio::ip::tcp::v4(), ends[1]);
    std::make_shared<serve::Session>(std::move(socket), service, limits_, log_, [this] {
      open_ = false;
    })->start();
  }
  ~Connection() { close(client_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty() && open_) {
      const ssize_t sent = ::send(client_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      serve();
    }
  }
  /// Closes the sending side, and returns everything that was answered.
  std::string finish() {
    shutdown(client_, SHUT_WR);
    while (open_) serve();
    receive();
    return received_;
  }

 private:
  void serve() {
    context_.restart();
    context_.poll();
    receive();
  }
  void receive() {
    char some[4096];
    for (ssize_t size; (size = recv(client_, some, sizeof some, 0)) > 0;) {
      received_.append(some, static_cast<std::size_t>(size));
    }
  }

  bool open_ = true;
  const serve::Limits limits_;
  const serve::Session::Log log_;
  boost::asio::io_context context_;
  int client_ = -1;
  std::string received_;
};

// The status of every answer.
std::string statuses(const std::string& answers) {
  static const std::string kStart = "HTTP/1.1 ";
  std::string found;
  for (std::size_t at = answers.find(kStart); at != std::string::npos;
       at = answers.find(kStart, at + 1)) {
    const std::string status = answers.substr(at + kStart.size(), 3);
    if (status.find_first_not_of("0123456789") == std::string::npos) found += status + ' ';
  }
  return found;
}

// A header that never ends is refused only if a mistake arrives in the same piece as its
// beginning; otherwise the connection closes without an answer. So one of the two may lack
// that refusal.
bool agree(const std::string& one, const std::string& other) {
  return one == other || one == other + "400 " || one + "400 " == other;
}

}  // namespace

// The bytes of a whole connection, sent at once and in pieces, get the same answers.
void fuzz_session(std::string_view bytes) {
  static const serve::CurrentService service(std::make_shared<serve::Service>(
      testing_support::served_model(),
      serve::ServiceOptions{.hosts = {"localhost", "::1"}}));
  const std::size_t piece = 1 + take_choice(bytes, 64);
  Connection at_once(service);
  at_once.send(bytes);
  const std::string answers = at_once.finish();
  require(answers.empty() || answers.starts_with("HTTP/1.1 "));
  require(statuses(answers).find("500") == std::string::npos);
  Connection in_pieces(service);
  for (std::string_view rest = bytes; !rest.empty();) {
    in_pieces.send(rest.substr(0, piece));
    rest.remove_prefix(std::min(piece, rest.size()));
  }
  require(agree(statuses(in_pieces.finish()), statuses(answers)));
}

}  // namespace megadapt::fuzz
