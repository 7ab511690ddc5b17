#include "serve/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace megadapt::serve {
namespace {

constexpr const char* kNoRoute = "none";

std::string counter(std::string_view name, std::string_view help, std::uint64_t value) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} counter\n{0} {2}\n", name, help, value);
}

}  // namespace

void Metrics::add_request(std::string_view route, int status,
                          std::chrono::nanoseconds time) {
  const double seconds = std::chrono::duration<double>(time).count();
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), seconds);
  const std::lock_guard lock(mutex_);
  ++requests_[{std::string(route), status}];
  ++latency_[static_cast<std::size_t>(bound - kBounds.begin())];
  seconds_ += seconds;
}

void Metrics::add_refusal(int status) {
  const std::lock_guard lock(mutex_);
  ++requests_[{kNoRoute, status}];
}

void Metrics::add_rows(std::size_t count) {
  const std::lock_guard lock(mutex_);
  rows_ += count;
}

void Metrics::add_model_load(bool succeeded) {
  const std::lock_guard lock(mutex_);
  ++(succeeded ? model_loads_ : failed_loads_);
}

std::string Metrics::histogram() const {
  std::string text =
      "# HELP megadapt_request_seconds Time to compute an answer.\n"
      "# TYPE megadapt_request_seconds histogram\n";
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < latency_.size(); ++i) {
    below += latency_[i];
    const std::string bound =
        i < kBounds.size() ? fmt::format("{}", kBounds[i]) : std::string("+Inf");
    text += fmt::format("megadapt_request_seconds_bucket{{le=\"{}\"}} {}\n", bound, below);
  }
  return text +
         fmt::format("megadapt_request_seconds_sum {}\nmegadapt_request_seconds_count {}\n",
                     seconds_, below);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text =
      "# HELP megadapt_requests_total Requests answered, by route and status.\n"
      "# TYPE megadapt_requests_total counter\n";
  for (const auto& [key, count] : requests_) {
    text += fmt::format("megadapt_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                        key.first, key.second, count);
  }
  text += histogram();
  text += counter("megadapt_rows_total", "Rows and sentences answered.", rows_);
  text += counter("megadapt_model_loads_total", "Models loaded.", model_loads_);
  text += counter("megadapt_failed_model_loads_total",
                  "Models that could not be loaded on SIGHUP.", failed_loads_);
  return text;
}

}  // namespace megadapt::serve
