#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// The ranks of a job, each of which holds some of the rows. Every sum over rows goes
/// through this class. Every rank holds all parameters and calls the same reductions in the
/// same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Replaces every element, on every rank, by its sum over the ranks.
  virtual void sum(std::span<double> values) = 0;
  virtual void sum(std::span<float> values) = 0;
  /// Sends a message to another rank, which gets it by receive(). Messages from one rank to
  /// another arrive in order. May block until the message is received.
  virtual void send(int to, std::string_view message) = 0;
  virtual std::string receive(int from) = 0;
};

/// The communicator of a job of one rank: sum() changes nothing.
Communicator& serial_communicator();

/// Calls body(ranks) once for each of `count` ranks, which are threads of this process. The
/// result has the same bits as that of a job with `count` ranks. When one rank throws, the
/// others stop at their next reduction or message, and its exception is rethrown.
void run_ranks(int count, const std::function<void(Communicator&)>& body);

/// The threads of this process, the ranks of the job, and the flag that stops the work.
/// Results do not depend on the number of threads: the bounds of chunks depend on the
/// amount of work alone, and partial sums are added in the order of the chunks.
class Execution {
 public:
  /// `threads` = 0 means one per core.
  explicit Execution(int threads = 0, Communicator& ranks = serial_communicator());
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  int threads() const { return threads_; }
  Communicator& ranks() const { return *ranks_; }

  /// The flag is checked between iterations; once it is set, the work throws Interrupted.
  void set_stop_flag(const std::atomic<bool>* flag) { stop_ = flag; }
  void throw_if_stopped() const;

  /// Calls body(chunk) for every chunk in [0, chunks), in parallel.
  void for_each_chunk(std::size_t chunks,
                      const std::function<void(std::size_t)>& body) const;

  /// Calls body(begin, end) on pieces of [0, count) of `grain` items each.
  template <class Body>
  void parallel_for(std::size_t count, std::size_t grain, Body&& body) const {
    const std::size_t chunks = (count + grain - 1) / grain;
    for_each_chunk(chunks, [&](std::size_t chunk) {
      body(chunk * grain, std::min(count, (chunk + 1) * grain));
    });
  }

  /// The sum of body(begin, end) over pieces of [0, count) of `grain` items each, added in
  /// order.
  template <class Body>
  double parallel_sum(std::size_t count, std::size_t grain, Body&& body) const {
    std::vector<double> partial((count + grain - 1) / grain);
    for_each_chunk(partial.size(), [&](std::size_t chunk) {
      partial[chunk] = body(chunk * grain, std::min(count, (chunk + 1) * grain));
    });
    double total = 0;
    for (const double value : partial) total += value;
    return total;
  }

 private:
  struct Pool;
  int threads_;
  Communicator* ranks_;
  const std::atomic<bool>* stop_ = nullptr;
  std::unique_ptr<Pool> pool_;
};

}  // namespace megadapt
