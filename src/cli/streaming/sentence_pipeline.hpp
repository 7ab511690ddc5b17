#pragma once

#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/streaming/row_pipeline.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt::cli {

/// Streams sentences through `work`, batches side by side, and calls `finish` for each
/// batch in the order of the file, then `paused` when the input pauses: what RowPipeline is
/// for rows. Memory does not grow with the file.
class SentencePipeline {
 public:
  using Step = std::function<void(std::span<const Sentence>, std::size_t slot)>;

  SentencePipeline(SentenceReader& reader, const std::string& path, const Execution& exec);
  std::size_t slots() const { return slots_; }
  void run(const Step& work, const Step& finish, const std::function<void()>& paused);
  /// What followed the last sentence, once run() has returned.
  std::string_view rest() const { return rest_; }

 private:
  struct Batch {
    std::vector<Sentence> sentences;  // buffers are reused
    std::size_t used = 0;
  };
  struct BatchSet {
    std::vector<Batch> batches;
    std::size_t used = 0;
    bool pauses = false;
    std::exception_ptr failure{};  // of the sentence after the last
  };
  void fill(BatchSet& set);
  void fill(Batch& batch, bool& pauses);

  SentenceReader& reader_;
  const Execution& exec_;
  InputPauses pauses_;
  std::size_t slots_;
  bool ended_ = false;
  std::string rest_;
};

}  // namespace megadapt::cli
