#include "serve/server.hpp"

#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <vector>

#include "base/end_without_memory.hpp"
#include "megadapt/error.hpp"
#include "serve/session.hpp"

namespace megadapt::serve {

namespace asio = boost::asio;
using asio::ip::tcp;
using ErrorCode = boost::system::error_code;

namespace {

// Boost.Asio 1.74 crashes if it has no memory for the second part of a strand.
asio::strand<asio::io_context::executor_type> new_strand(asio::io_context& context) {
  const EndWithoutMemory guard;
  return asio::make_strand(context);
}

}  // namespace

struct Server::Impl {
  Impl(const CurrentService& the_service, ServerOptions the_options)
      : service(the_service),
        limits(service.get()->limits()),
        options(std::move(the_options)),
        work(asio::make_work_guard(context)),
        acceptor(new_strand(context)),
        pause(acceptor.get_executor()) {}
  ~Impl() {
    context.stop();
    threads.clear();  // joins
  }

  void listen();
  void start_threads();
  void answer_requests();
  void accept();
  void on_accept(ErrorCode error, tcp::socket socket);
  void add_session(tcp::socket socket);
  void accept_later();
  void stop_accepting();
  bool wait_for_sessions();

  const CurrentService& service;
  const Limits limits;
  ServerOptions options;
  // Sessions that are cut off are destroyed with `context`, so `context` must be destroyed
  // before these members.
  std::mutex mutex;
  std::condition_variable one_ended;
  std::set<std::weak_ptr<Session>, std::owner_less<>> sessions;  // guarded by mutex
  std::size_t open = 0;                                          // guarded by mutex

  asio::io_context context;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  tcp::acceptor acceptor;
  asio::steady_timer pause;  // before the next attempt if file descriptors ran out
  std::vector<std::jthread> threads;
};

void Server::Impl::start_threads() try {
  for (int i = 0; i < options.threads; ++i) {
    threads.emplace_back([this] { answer_requests(); });
  }
} catch (const std::system_error& error) {
  throw ResourceError(
      fmt::format("cannot start {} threads: {}", options.threads, error.what()),
      "use fewer --threads, or raise the limit on processes and memory (ulimit -a)");
}

// An exception, usually for lack of memory, ends only the connection whose handler threw it.
void Server::Impl::answer_requests() {
  for (;;) {
    try {
      context.run();
      return;
    } catch (const std::exception&) {
    }
  }
}

void Server::Impl::listen() {
  const auto& [host, port] = options.address;
  ErrorCode error;
  const auto address =
      asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) {
    throw UsageError(fmt::format("--host {}: this is not an address", host),
                     "give an address such as 127.0.0.1, 0.0.0.0 or ::1");
  }
  const tcp::endpoint endpoint(address, port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return;
  throw UsageError(
      fmt::format("cannot listen on {} port {}: {}", host, port, error.message()),
      "choose another --port, or 0 for any free one");
}

void Server::Impl::accept() {
  acceptor.async_accept(new_strand(context), [this](ErrorCode error, tcp::socket socket) {
    on_accept(error, std::move(socket));
  });
}

void Server::Impl::on_accept(ErrorCode error, tcp::socket socket) {
  if (!acceptor.is_open()) return;
  if (error) return accept_later();
  try {
    add_session(std::move(socket));
  } catch (const std::exception&) {
    return accept_later();
  }
  accept();
}

void Server::Impl::accept_later() {
  pause.expires_after(std::chrono::milliseconds(100));
  pause.async_wait([this](ErrorCode cancelled) {
    if (!cancelled) accept();
  });
}

void Server::Impl::add_session(tcp::socket socket) {
  const auto session =
      std::make_shared<Session>(std::move(socket), service, limits, options.log, [this] {
        const std::lock_guard lock(mutex);
        --open;
        std::erase_if(sessions, [](const auto& weak) { return weak.expired(); });
        one_ended.notify_all();
      });
  bool room = false;
  {
    const std::lock_guard lock(mutex);
    ++open;
    room = sessions.size() < limits.connections;
    if (room) sessions.insert(session);
  }
  room ? session->start() : session->turn_away();
}

void Server::Impl::stop_accepting() {
  asio::post(acceptor.get_executor(), [this] {
    ErrorCode ignored;
    acceptor.close(ignored);
    pause.cancel(ignored);
    std::vector<std::shared_ptr<Session>> alive;  // so that no session ends under the lock
    {
      const std::lock_guard lock(mutex);
      for (const auto& weak : sessions) {
        if (auto session = weak.lock()) alive.push_back(std::move(session));
      }
    }
    for (const auto& session : alive) session->finish();
  });
}

bool Server::Impl::wait_for_sessions() {
  std::unique_lock lock(mutex);
  return one_ended.wait_for(lock, limits.grace, [this] { return open == 0; });
}

Server::Server(const CurrentService& service, ServerOptions options)
    : impl_(std::make_unique<Impl>(service, std::move(options))) {
  impl_->listen();
  impl_->start_threads();
}

Server::~Server() = default;

std::uint16_t Server::port() const { return impl_->acceptor.local_endpoint().port(); }

bool Server::run(const std::atomic<bool>& stop, const std::function<void()>& on_tick) {
  impl_->accept();
  // Polling, because a signal handler can only set a flag.
  while (!stop.load()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (on_tick) on_tick();
  }
  impl_->stop_accepting();
  const bool all_answered = impl_->wait_for_sessions();
  impl_->work.reset();
  if (!all_answered) impl_->context.stop();
  impl_->threads.clear();  // joins
  return all_answered;
}

}  // namespace megadapt::serve
