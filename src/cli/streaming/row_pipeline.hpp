#pragma once

#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/corpus.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::cli {

/// Rows that outlive the reader's next call; memory is kept from one use to the next.
class RowBatch {
 public:
  void clear() { size_ = 0; }
  void add(const Row& row);
  std::size_t size() const { return size_; }
  std::span<const Row> rows() const { return {rows_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  std::vector<Row> rows_;
  std::vector<std::vector<char>> text_;  // what the views of a row look at; unlike a short
                                         // std::string, a vector keeps its bytes in place
                                         // when it is moved
};

/// Tells whether more input is ready, so that output can be flushed before waiting for it.
class InputPauses {
 public:
  explicit InputPauses(const std::string& path);
  /// True when reading on might wait for somebody to write: never for a regular file.
  bool now() const;
  bool possible() const { return kind_ != Kind::regular; }

 private:
  enum class Kind { regular, standard_input, other };
  Kind kind_;
};

/// Streams rows through `work`, batches side by side, and calls `finish` for each batch in
/// the order of the file, then `paused` when the input pauses.
///
/// `work(rows, slot)` and `finish(rows, slot)` may keep what they like per slot: a slot is
/// used by one batch at a time, and there are slots() of them. While batches are worked on,
/// the next ones are being read. Rows before a bad one are finished before its error is
/// thrown.
class RowPipeline {
 public:
  using Step = std::function<void(std::span<const Row>, std::size_t slot)>;

  RowPipeline(RowReader& reader, const std::string& path, const Execution& exec);
  std::size_t slots() const { return slots_; }
  void run(const Step& work, const Step& finish, const std::function<void()>& paused);

 private:
  struct BatchSet {
    std::vector<RowBatch> batches;
    std::size_t used = 0;
    bool pauses = false;
    std::exception_ptr failure{};  // of the row after the last
  };

  void run_serially(const Step& work, const Step& finish,
                    const std::function<void()>& paused);
  void fill(BatchSet& set);

  RowReader& reader_;
  const Execution& exec_;
  InputPauses pauses_;
  std::size_t slots_;
  bool ended_ = false;
};

}  // namespace megadapt::cli
