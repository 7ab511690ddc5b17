#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "megadapt/classifier.hpp"
#include "megadapt/execution.hpp"

namespace megadapt {

/// Tells whether more input is ready, so that output can be flushed before waiting for it.
class InputPauses {
 public:
  explicit InputPauses(const std::string& path);
  /// Returns true if reading on might have to wait; always false for a regular file.
  bool now() const;

 private:
  enum class Kind { regular, standard_input, other };
  Kind kind_;
};

/// Rows that stay valid after the reader's next call. Memory is reused.
class RowBatch {
 public:
  using Item = Row;
  using Reader = RowReader;

  void clear() { size_ = 0; }
  bool full(bool alone) const;
  /// Adds the reader's next row; returns false at its end. With one thread the batch is
  /// `alone`: the row refers to the reader's memory, without a copy.
  bool read(RowReader& reader, bool alone, std::string& rest);
  std::span<const Row> items() const { return {rows_.data(), size_}; }

 private:
  void keep(const Row& row);

  std::size_t size_ = 0;
  Row read_;
  std::vector<Row> rows_;
  /// The bytes that each row's views refer to. Not std::string, because moving a short
  /// string moves its bytes.
  std::vector<std::vector<char>> text_;
};

/// Like RowBatch, for sentences, which hold their own bytes.
class SentenceBatch {
 public:
  using Item = Sentence;
  using Reader = SentenceReader;

  void clear() { size_ = tokens_ = 0; }
  bool full(bool alone) const;
  /// At the end, sets `rest` to the text after the last sentence.
  bool read(SentenceReader& reader, bool alone, std::string& rest);
  std::span<const Sentence> items() const { return {sentences_.data(), size_}; }

 private:
  std::size_t size_ = 0;
  std::size_t tokens_ = 0;
  std::vector<Sentence> sentences_;
};

/// Streams a reader's items through `work`, in parallel batches. Calls `finish` for each
/// batch in file order, then `paused` if the input pauses.
///
/// `work(items, slot)` and `finish(items, slot)` may keep state per slot: a slot is used by
/// one batch at a time, and there are slots() of them. While batches are worked on, the
/// next ones are read. Items before a bad one are finished before its error is thrown.
/// Memory does not grow with the file.
template <class Batch>
class Stream {
 public:
  using Item = typename Batch::Item;
  using Step = std::function<void(std::span<const Item>, std::size_t slot)>;

  Stream(typename Batch::Reader& reader, const std::string& path, const Execution& exec);
  std::size_t slots() const { return slots_; }
  void run(const Step& work, const Step& finish, const std::function<void()>& paused);
  /// `look` is called with the first batch, which may be empty, before any work.
  void set_first(std::function<void(std::span<const Item>)> look) {
    first_ = std::move(look);
  }
  /// Returns the text after the last sentence. Call it after run().
  std::string_view rest() const { return rest_; }

 private:
  struct BatchSet {
    std::vector<Batch> batches;
    std::size_t used = 0;
    bool pauses = false;
    std::exception_ptr failure{};  // error of the item after the last
  };
  void work_on(BatchSet& current, BatchSet& next, const Step& work);
  void fill(BatchSet& set);
  void fill(Batch& batch, BatchSet& set);

  typename Batch::Reader& reader_;
  const Execution& exec_;
  InputPauses pauses_;
  std::size_t slots_;
  bool ended_ = false;
  std::string rest_;
  std::function<void(std::span<const Item>)> first_;
};

extern template class Stream<RowBatch>;
extern template class Stream<SentenceBatch>;

/// Runs a Classifier or Tagger on a file, with one worker per slot of the stream.
template <class Door, class Batch>
class ModelStream {
 public:
  using Step = typename Stream<Batch>::Step;
  using Item = typename Batch::Item;

  ModelStream(const Door& door, const std::string& path, OpenOptions options,
              const Execution& exec)
      : reader_(door.open(path, counting(options))), stream_(*reader_, path, exec) {
    for (std::size_t slot = 0; slot < slots(); ++slot) {
      workers_.push_back(door.worker(options.as_domain));
    }
  }

  std::size_t slots() const { return stream_.slots(); }
  typename Door::Worker& worker(std::size_t slot) { return workers_[slot]; }
  const typename Batch::Reader& reader() const { return *reader_; }
  void run(
      const Step& work, const Step& finish, const std::function<void()>& paused = [] {}) {
    stream_.run(work, finish, paused);
  }
  void set_first(std::function<void(std::span<const Item>)> look) {  ///< see Stream
    stream_.set_first(std::move(look));
  }
  std::string_view rest() const { return stream_.rest(); }  ///< see Stream
  const UnknownDomains& unknown_domains() const { return unknown_domains_; }
  std::size_t unseen() const {  ///< features that the model does not know
    std::size_t sum = 0;
    for (const auto& worker : workers_) sum += worker.unseen();
    return sum;
  }

 private:
  const OpenOptions& counting(OpenOptions& options) {
    options.unknown_domains = &unknown_domains_;
    return options;
  }

  UnknownDomains unknown_domains_;
  std::unique_ptr<typename Batch::Reader> reader_;
  Stream<Batch> stream_;
  std::vector<typename Door::Worker> workers_;
};

using RowStream = ModelStream<Classifier, RowBatch>;
using SentenceStream = ModelStream<Tagger, SentenceBatch>;

}  // namespace megadapt
