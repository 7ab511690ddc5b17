#include "megadapt/execution.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>
#include <thread>

#include "execution/handover.hpp"
#include "megadapt/error.hpp"

namespace megadapt {

struct Execution::Pool {
  explicit Pool(int threads) : arena(threads) {
    if (threads > cores()) {
      limit.emplace(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(threads));
    }
  }
  static int cores() {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }
  // Lets --threads exceed the number of cores. Not set otherwise: oneTBB applies the
  // smallest limit of the process, so it would also restrict other executions.
  std::optional<tbb::global_control> limit;
  tbb::task_arena arena;
};

Execution::Execution(int threads, Communicator& ranks)
    : threads_(threads > 0 ? threads : Pool::cores()), ranks_(&ranks) {
  if (threads_ > 1) pool_ = std::make_unique<Pool>(threads_);
}

Execution::~Execution() = default;

void Execution::throw_if_stopped() const {
  if (stop_ && stop_->load(std::memory_order_relaxed)) throw Interrupted();
}

void Execution::for_each_chunk(std::size_t chunks,
                               const std::function<void(std::size_t)>& body) const {
  if (!pool_ || chunks < 2) {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) body(chunk);
    return;
  }
  const auto work = [&](std::size_t chunk) {
    take(Handover::to_chunks);
    body(chunk);
    give(Handover::to_caller);
  };
  give(Handover::to_chunks);
  pool_->arena.execute(
      [&] { tbb::parallel_for(std::size_t{0}, chunks, work, tbb::simple_partitioner()); });
  take(Handover::to_caller);
}

}  // namespace megadapt
