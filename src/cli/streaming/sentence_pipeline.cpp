#include "cli/streaming/sentence_pipeline.hpp"

#include <utility>

namespace megadapt::cli {
namespace {

constexpr std::size_t kBatchTokens = 4096;
constexpr std::size_t kSentenceBatchesPerThread = 2;

std::span<const Sentence> sentences_in(const std::vector<Sentence>& all, std::size_t used) {
  return {all.data(), used};
}

}  // namespace

SentencePipeline::SentencePipeline(SentenceReader& reader, const std::string& path,
                                   const Execution& exec)
    : reader_(reader),
      exec_(exec),
      pauses_(path),
      slots_(exec.threads() > 1
                 ? static_cast<std::size_t>(exec.threads()) * kSentenceBatchesPerThread
                 : 1) {}

void SentencePipeline::run(const Step& work, const Step& finish,
                           const std::function<void()>& paused) {
  const auto empty_set = [&] {
    BatchSet set;
    set.batches.resize(slots_);
    return set;
  };
  BatchSet current = empty_set(), next = empty_set();
  fill(current);
  while (current.used > 0) {
    exec_.throw_if_stopped();
    // Reading ahead would hold back the answers while the input pauses.
    const bool read_ahead = !current.pauses && !current.failure && slots_ > 1;
    const auto rows = [&](std::size_t slot) {
      return sentences_in(current.batches[slot].sentences, current.batches[slot].used);
    };
    exec_.for_each_chunk(current.used + read_ahead, [&](std::size_t chunk) {
      if (read_ahead && chunk == 0) return fill(next);
      work(rows(chunk - read_ahead), chunk - read_ahead);
    });
    for (std::size_t slot = 0; slot < current.used; ++slot) finish(rows(slot), slot);
    if (current.pauses) paused();
    if (current.failure) break;
    if (!read_ahead) fill(next);
    std::swap(current, next);
  }
  if (current.failure) std::rethrow_exception(current.failure);
}

void SentencePipeline::fill(BatchSet& set) {
  set.used = 0;
  set.pauses = false;
  set.failure = nullptr;
  try {
    while (set.used < slots_ && !set.pauses && !ended_) {
      Batch& batch = set.batches[set.used];
      batch.used = 0;
      ++set.used;
      fill(batch, set.pauses);
      if (batch.used == 0) --set.used;
    }
  } catch (...) {
    if (set.used > 0 && set.batches[set.used - 1].used == 0) --set.used;
    set.failure = std::current_exception();
    ended_ = true;
  }
}

void SentencePipeline::fill(Batch& batch, bool& pauses) {
  for (std::size_t tokens = 0; tokens < kBatchTokens && !pauses;) {
    if (batch.used == batch.sentences.size()) batch.sentences.emplace_back();
    Sentence& sentence = batch.sentences[batch.used];
    if (!reader_.next(sentence)) {
      rest_ = sentence.raw;
      ended_ = true;
      return;
    }
    ++batch.used;
    tokens += sentence.size() + 1;
    pauses = pauses_.now();
  }
}

}  // namespace megadapt::cli
