// Ranks that are threads of one process, for tests of distributed code.
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "megadapt/error.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {
namespace {

/// Thrown in a waiting rank when another rank has failed. Never leaves run_ranks().
struct AnotherRankFailed {};

/// The state that the ranks share: a barrier, mail boxes and the first error.
class Room {
 public:
  std::vector<std::span<std::byte>> published;  // [ranks]; the array each adds to a sum

  explicit Room(int size) : published(static_cast<std::size_t>(size)), size_(size) {}

  int size() const { return size_; }

  /// A barrier: returns when every rank has called it.
  void meet() {
    std::unique_lock lock(mutex_);
    const std::uint64_t meeting = meetings_;
    if (++here_ == size_) {
      here_ = 0;
      ++meetings_;
      changed_.notify_all();
    }
    wait(lock, [&] { return meetings_ != meeting; });
  }

  void put(int from, int to, std::string_view message) {
    const std::lock_guard lock(mutex_);
    letters_[{from, to}].emplace_back(message);
    changed_.notify_all();
  }

  std::string take(int from, int to) {
    std::unique_lock lock(mutex_);
    std::deque<std::string>& box = letters_[{from, to}];
    wait(lock, [&] { return !box.empty(); });
    std::string message = std::move(box.front());
    box.pop_front();
    return message;
  }

  /// Keeps the first error and ignores later ones.
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    changed_.notify_all();
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Done>
  void wait(std::unique_lock<std::mutex>& lock, Done done) {
    changed_.wait(lock, [&] { return error_ || done(); });
    if (error_ && !done()) throw AnotherRankFailed();
  }

  const int size_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int here_ = 0;
  std::uint64_t meetings_ = 0;
  std::map<std::pair<int, int>, std::deque<std::string>> letters_;
  std::exception_ptr error_;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Room& room, int rank) : room_(room), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return room_.size(); }
  void sum(std::span<double> values) override { sum_over_ranks(values); }
  void sum(std::span<float> values) override { sum_over_ranks(values); }
  void send(int to, std::string_view message) override { room_.put(rank_, to, message); }
  std::string receive(int from) override { return room_.take(from, rank_); }

 private:
  // Each rank adds up its slice of the elements, in rank order, and writes the sums into
  // the arrays of all ranks.
  template <class Real>
  void sum_over_ranks(std::span<Real> values) {
    const auto P = static_cast<std::size_t>(size());
    const auto r = static_cast<std::size_t>(rank_);
    room_.published[r] = std::as_writable_bytes(values);
    room_.meet();
    for (const auto array : room_.published) {
      if (array.size() != values.size_bytes()) {
        throw std::logic_error("ranks sum arrays of different sizes");
      }
    }
    for (std::size_t i = values.size() * r / P; i < values.size() * (r + 1) / P; ++i) {
      Real total = 0;
      for (const auto array : room_.published) total += element<Real>(array, i);
      for (const auto array : room_.published) element<Real>(array, i) = total;
    }
    room_.meet();
  }

  template <class Real>
  static Real& element(std::span<std::byte> array, std::size_t i) {
    return reinterpret_cast<Real*>(array.data())[i];
  }

  Room& room_;
  int rank_;
};

}  // namespace

void run_ranks(int count, const std::function<void(Communicator&)>& body) {
  Room room(count);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&room, &body, rank] {
      try {
        ThreadRank communicator(room, rank);
        body(communicator);
      } catch (const AnotherRankFailed&) {
      } catch (...) {
        room.fail(std::current_exception());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  room.rethrow();
}

}  // namespace megadapt
