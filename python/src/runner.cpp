#include "runner.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>

#include "megadapt/error.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

constexpr auto kLookEvery = std::chrono::milliseconds(50);

// A forked child has none of the pool's threads and would wait for them forever. It uses
// one thread instead, which gives the same bits.
std::atomic<bool> pool_exists = false;
std::atomic<bool> pool_lost = false;

int usable(int threads) {
  static const int registered = pthread_atfork(nullptr, nullptr, [] {
    if (pool_exists) pool_lost = true;
  });
  static_cast<void>(registered);
  if (threads == 1 || pool_lost) return 1;
  pool_exists = true;
  return threads;
}

/// The latest progress report of the working thread; older ones are dropped.
class News {
 public:
  void put(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  }
  std::optional<Progress> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(latest_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::optional<Progress> latest_;
};

// Lets Python handle signals and draw the progress bar; throws if one of these raises.
void look_around(const py::object& progress, News& news) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress.is_none()) return;
  if (const auto latest = news.take()) progress(latest->stage, latest->fraction);
}

}  // namespace

void run(int threads, const py::object& progress, const Work& work) {
  std::atomic<bool> stop = false;
  Execution exec(usable(threads));
  exec.set_stop_flag(&stop);
  News news;
  std::future<void> done = std::async(std::launch::async, [&] {
    work(exec, [&news](const Progress& latest) { news.put(latest); });
  });
  std::optional<py::error_already_set> raised;
  while (true) {
    std::future_status status;
    {
      const py::gil_scoped_release unlocked;
      status = done.wait_for(kLookEvery);
    }
    if (status == std::future_status::ready) break;
    if (raised) continue;
    try {
      look_around(progress, news);
    } catch (py::error_already_set& error) {
      raised.emplace(std::move(error));
      stop = true;
    }
  }
  if (raised) throw py::error_already_set(std::move(*raised));
  done.get();
}

Options options_for(const std::string& system, const Settings& settings,
                    std::uint64_t seed) {
  Options options;
  set_options(options, settings);
  options.seed = seed;
  std::vector<std::string> given;
  for (const auto& [name, value] : settings) given.push_back(name);
  refuse_unread(std::array{&find_system(system)}, given);
  return options;
}

std::vector<Member> to_members(const Members& members) {
  std::vector<Member> all;
  for (const auto& [system, settings, weight] : members) {
    all.push_back({find_system(system).name(), settings, weight});
  }
  return all;
}

Members from_members(const std::vector<Member>& members) {
  Members all;
  for (const Member& member : members) {
    all.emplace_back(member.system, member.settings, member.weight);
  }
  return all;
}

void fix_options(const Settings& settings, TuneOptions& tuning) {
  set_options(tuning.base, settings);
  for (const auto& [name, value] : settings) tuning.fixed.push_back(name);
}

void run_here(int threads, const std::function<void(const Execution&)>& work) {
  const Execution exec(usable(threads));
  const py::gil_scoped_release unlocked;
  work(exec);
}

}  // namespace megadapt::python
