#include "serve/http_client.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace megadapt::testing_support {
namespace {

constexpr int kPatience = 60'000;  // ms; a server that hangs fails the test

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

HttpAnswer parse_head(std::string_view head) {
  HttpAnswer answer;
  std::from_chars(head.data() + 9, head.data() + 12, answer.status);
  for (std::size_t at = head.find("\r\n"); at + 2 < head.size();) {
    const std::size_t end = head.find("\r\n", at + 2);
    const std::string_view line = head.substr(at + 2, end - at - 2);
    const std::size_t colon = line.find(": ");
    if (colon != line.npos) {
      answer.fields[lower(std::string(line.substr(0, colon)))] = line.substr(colon + 2);
    }
    at = end;
  }
  return answer;
}

}  // namespace

HttpClient::HttpClient(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(socket_);
    throw std::runtime_error("cannot connect");
  }
}

HttpClient::~HttpClient() {
  if (socket_ >= 0) close(socket_);
}

HttpClient::HttpClient(HttpClient&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), seen_(std::move(other.seen_)) {}

bool HttpClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::read_more(int timeout_ms) {
  pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&input, 1, timeout_ms) <= 0) throw std::runtime_error("the server hangs");
  std::array<char, 65536> buffer;
  const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  seen_.append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

HttpAnswer HttpClient::receive(bool without_body) {
  std::size_t end = 0;
  while ((end = seen_.find("\r\n\r\n")) == seen_.npos) {
    if (!read_more(kPatience)) return {};
  }
  HttpAnswer answer = parse_head(std::string_view(seen_).substr(0, end + 2));
  seen_.erase(0, end + 4);
  const auto length = answer.fields.find("content-length");
  if (without_body || length == answer.fields.end()) return answer;
  const std::size_t size = std::stoul(length->second);
  while (seen_.size() < size) {
    if (!read_more(kPatience)) return {};
  }
  answer.body = seen_.substr(0, size);
  seen_.erase(0, size);
  return answer;
}

bool HttpClient::closed_within(std::chrono::milliseconds time) {
  pollfd input{.fd = socket_, .events = POLLIN, .revents = 0};
  if (poll(&input, 1, static_cast<int>(time.count())) <= 0) return false;
  return !read_more(0);
}

HttpAnswer HttpClient::get(std::string_view path) {
  send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
  return receive();
}

HttpAnswer HttpClient::post(std::string_view path, std::string_view body) {
  send(post_text(path, body));
  return receive();
}

std::string post_text(std::string_view path, std::string_view body, std::string_view more) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n{}\r\n{}", path,
      body.size(), more, body);
}

}  // namespace megadapt::testing_support
