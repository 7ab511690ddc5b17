#include "inference/stream.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace megadapt {
namespace {

constexpr std::size_t kBatchRows = 128;  // keeps the batches in a core's cache
constexpr std::size_t kBatchTokens = 4096;
constexpr std::size_t kBatchesPerThread = 2;  // balances batches of unequal work

}  // namespace

InputPauses::InputPauses(const std::string& path) {
  struct stat status {};
  const bool standard = path == "-";
  const int failed = standard ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  const bool regular = failed != 0 || S_ISREG(status.st_mode);
  kind_ = regular ? Kind::regular : standard ? Kind::standard_input : Kind::other;
}

bool InputPauses::now() const {
  if (kind_ == Kind::regular) return false;
  if (kind_ == Kind::other) return true;  // named pipe: only the reader has its descriptor
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  return poll(&input, 1, 0) == 0;
}

bool RowBatch::full(bool alone) const { return size_ >= (alone ? 1 : kBatchRows); }

bool RowBatch::read(RowReader& reader, bool alone, std::string& /*rest*/) {
  if (alone) {
    rows_.resize(1);
    size_ = reader.next(rows_[0]) ? 1 : 0;
    return size_ == 1;
  }
  if (!reader.next(read_)) return false;
  keep(read_);
  return true;
}

void RowBatch::keep(const Row& row) {
  if (size_ == rows_.size()) {
    rows_.emplace_back();
    text_.emplace_back();
  }
  Row& copy = rows_[size_];
  std::vector<char>& text = text_[size_];
  ++size_;

  std::size_t length = row.label.size() + row.domain.size() + row.id.size() +
                       row.group.size() + row.text.size();
  for (const NamedFeature& feature : row.features) length += feature.name.size();
  for (const NamedShare& one : row.shares) length += one.label.size();
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
  copy.text = keep(row.text);
  for (NamedFeature& feature : copy.features) feature.name = keep(feature.name);
  for (NamedShare& one : copy.shares) one.label = keep(one.label);
}

bool SentenceBatch::full(bool /*alone*/) const { return tokens_ >= kBatchTokens; }

bool SentenceBatch::read(SentenceReader& reader, bool /*alone*/, std::string& rest) {
  if (size_ == sentences_.size()) sentences_.emplace_back();
  Sentence& sentence = sentences_[size_];
  if (!reader.next(sentence)) {
    rest = sentence.raw;
    return false;
  }
  ++size_;
  tokens_ += sentence.size() + 1;
  return true;
}

template <class Batch>
Stream<Batch>::Stream(typename Batch::Reader& reader, const std::string& path,
                      const Execution& exec)
    : reader_(reader),
      exec_(exec),
      pauses_(path),
      slots_(exec.threads() > 1
                 ? static_cast<std::size_t>(exec.threads()) * kBatchesPerThread
                 : 1) {}

template <class Batch>
void Stream<Batch>::run(const Step& work, const Step& finish,
                        const std::function<void()>& paused) {
  BatchSet current, next;
  current.batches.resize(slots_);
  next.batches.resize(slots_);
  fill(current);
  if (first_) {
    first_(current.used > 0 ? current.batches[0].items() : std::span<const Item>());
  }
  while (current.used > 0) {
    exec_.throw_if_stopped();
    work_on(current, next, work);
    for (std::size_t slot = 0; slot < current.used; ++slot) {
      finish(current.batches[slot].items(), slot);
    }
    if (current.pauses) paused();
    if (current.failure) break;
    // work_on() did not read ahead: while the input pauses, that would delay the answers.
    if (current.pauses || slots_ == 1) fill(next);
    std::swap(current, next);
  }
  if (current.failure) std::rethrow_exception(current.failure);
}

// Works on the current batches. Meanwhile reads the next ones, unless the input pauses.
template <class Batch>
void Stream<Batch>::work_on(BatchSet& current, BatchSet& next, const Step& work) {
  if (slots_ == 1) return work(current.batches[0].items(), 0);
  const bool read_ahead = !current.pauses;
  exec_.for_each_chunk(current.used + read_ahead, [&](std::size_t chunk) {
    if (read_ahead && chunk == 0) return fill(next);
    const std::size_t slot = chunk - read_ahead;
    work(current.batches[slot].items(), slot);
  });
}

template <class Batch>
void Stream<Batch>::fill(BatchSet& set) {
  set.used = 0;
  set.pauses = false;
  set.failure = nullptr;
  while (set.used < slots_ && !set.pauses && !ended_) {
    Batch& batch = set.batches[set.used];
    batch.clear();
    fill(batch, set);
    if (!batch.items().empty()) ++set.used;
  }
}

template <class Batch>
void Stream<Batch>::fill(Batch& batch, BatchSet& set) {
  const bool alone = slots_ == 1;
  try {
    while (!batch.full(alone) && !set.pauses && !ended_) {
      if (batch.read(reader_, alone, rest_)) {
        set.pauses = pauses_.now();
      } else {
        ended_ = true;
      }
    }
  } catch (...) {
    set.failure = std::current_exception();
    ended_ = true;
  }
}

template class Stream<RowBatch>;
template class Stream<SentenceBatch>;

}  // namespace megadapt
