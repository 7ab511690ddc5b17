#include "cli/streaming/row_pipeline.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace megadapt::cli {
namespace {

constexpr std::size_t kBatchRows = 128;       // the batches alive stay in a core's cache
constexpr std::size_t kBatchesPerThread = 2;  // evens out batches of unequal work

}  // namespace

void RowBatch::add(const Row& row) {
  if (size_ == rows_.size()) {
    rows_.emplace_back();
    text_.emplace_back();
  }
  Row& copy = rows_[size_];
  std::vector<char>& text = text_[size_];
  ++size_;

  std::size_t length =
      row.label.size() + row.domain.size() + row.id.size() + row.group.size();
  for (const NamedFeature& feature : row.features) length += feature.name.size();
  text.resize(length);
  char* end = text.data();
  const auto keep = [&end](std::string_view part) {
    char* start = end;
    end = std::copy(part.begin(), part.end(), start);
    return std::string_view(start, part.size());
  };

  copy = row;
  copy.label = keep(row.label);
  copy.domain = keep(row.domain);
  copy.id = keep(row.id);
  copy.group = keep(row.group);
  for (NamedFeature& feature : copy.features) feature.name = keep(feature.name);
}

InputPauses::InputPauses(const std::string& path) {
  struct stat status {};
  const bool standard = path == "-";
  const int failed = standard ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  const bool regular = failed != 0 || S_ISREG(status.st_mode);
  kind_ = regular ? Kind::regular : standard ? Kind::standard_input : Kind::other;
}

bool InputPauses::now() const {
  if (kind_ == Kind::regular) return false;
  if (kind_ == Kind::other) return true;  // a named pipe: its descriptor is the reader's
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) == 0;
}

RowPipeline::RowPipeline(RowReader& reader, const std::string& path, const Execution& exec)
    : reader_(reader),
      exec_(exec),
      pauses_(path),
      slots_(exec.threads() > 1
                 ? static_cast<std::size_t>(exec.threads()) * kBatchesPerThread
                 : 1) {}

void RowPipeline::run(const Step& work, const Step& finish,
                      const std::function<void()>& paused) {
  if (slots_ == 1) return run_serially(work, finish, paused);

  BatchSet current{.batches = std::vector<RowBatch>(slots_)};
  BatchSet next{.batches = std::vector<RowBatch>(slots_)};
  fill(current);
  while (current.used > 0) {
    exec_.throw_if_stopped();
    // Reading ahead would hold back the answers while the input pauses.
    const bool read_ahead = !current.pauses;
    exec_.for_each_chunk(current.used + read_ahead, [&](std::size_t chunk) {
      if (read_ahead && chunk == 0) return fill(next);
      const std::size_t slot = chunk - read_ahead;
      work(current.batches[slot].rows(), slot);
    });
    for (std::size_t slot = 0; slot < current.used; ++slot) {
      finish(current.batches[slot].rows(), slot);
    }
    if (current.pauses) paused();
    if (current.failure) break;
    if (!read_ahead) fill(next);
    std::swap(current, next);
  }
  if (current.failure) std::rethrow_exception(current.failure);
}

// With one thread a row is used where the reader holds it, without a copy.
void RowPipeline::run_serially(const Step& work, const Step& finish,
                               const std::function<void()>& paused) {
  for (Row row; reader_.next(row);) {
    exec_.throw_if_stopped();
    work({&row, 1}, 0);
    finish({&row, 1}, 0);
    if (pauses_.now()) paused();
  }
}

void RowPipeline::fill(BatchSet& set) {
  set.used = 0;
  set.pauses = false;
  set.failure = nullptr;
  if (ended_) return;
  try {
    Row row;
    while (set.used < slots_ && !set.pauses && !ended_) {
      RowBatch& batch = set.batches[set.used];
      batch.clear();
      while (batch.size() < kBatchRows && !set.pauses && !ended_) {
        if (reader_.next(row)) {
          batch.add(row);
          if (batch.size() == 1) ++set.used;
          set.pauses = pauses_.now();
        } else {
          ended_ = true;
        }
      }
    }
  } catch (...) {
    set.failure = std::current_exception();
    ended_ = true;
  }
}

}  // namespace megadapt::cli
