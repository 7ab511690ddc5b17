#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace megadapt::serve {

/// Counts requests, rows and how long answers took. Safe to use from many threads; outlives
/// a change of the model.
class Metrics {
 public:
  /// A request whose answer took `time` to compute. `route` is one of a few fixed paths:
  /// every route and status seen is kept.
  void add_request(std::string_view route, int status, std::chrono::nanoseconds time);
  /// A request that was refused before it had a route: not HTTP, too large or too late.
  void add_refusal(int status);
  void add_rows(std::size_t count);
  void add_model_load(bool succeeded);

  /// All of it in the text format of Prometheus.
  std::string text() const;

 private:
  // Upper bounds of the latency histogram, in seconds.
  static constexpr std::array<double, 12> kBounds = {
      0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10};
  std::string histogram() const;

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by route and status
  std::array<std::uint64_t, kBounds.size() + 1> latency_{};        // the last: no bound
  double seconds_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t model_loads_ = 1;
  std::uint64_t failed_loads_ = 0;
};

}  // namespace megadapt::serve
