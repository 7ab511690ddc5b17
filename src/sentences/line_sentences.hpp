#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/lines.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt::sentences {

/// A sentence that cannot be used, in a file that can be read on.
class BadSentence : public InputError {
 public:
  using InputError::InputError;
};

/// What is common to all readers: lines, documents, bytes kept as they were, bad sentences
/// stepped over. Positions are noted while the bytes grow and become views at the end.
class LineSentences : public SentenceReader {
 public:
  LineSentences(corpus::LineReader lines, SentenceFormat format,
                const SentenceOptions& options);

  bool next(Sentence& sentence) override;
  SentenceFormat format() const override { return format_; }
  const ColumnChoice& columns() const override { return options_.columns; }
  std::size_t skipped() const override { return skipped_; }
  Place place() const override;
  std::string sha256() const override { return lines_.sha256(); }

 protected:
  struct Slice {
    std::size_t begin = 0, size = 0;
  };
  static constexpr std::size_t kMostTokens = 1'000'000;

  /// Reads up to the end of the next sentence into `sentence`; false at the end of file.
  virtual bool read(Sentence& sentence) = 0;
  /// Steps over the rest of a sentence that read() refused.
  virtual void skip_rest(Sentence& sentence) = 0;

  /// The next line, its stored bytes appended to `sentence.bytes`.
  bool next_line(Sentence& sentence, std::string_view& line);
  /// Where `part` of the line that was read last is in `sentence.bytes`.
  Slice slice(const Sentence& sentence, std::string_view part) const;
  std::string_view view(const Sentence& sentence, Slice slice) const {
    return {sentence.bytes.data() + slice.begin, slice.size};
  }
  /// Notes a comment and the document it may begin; false when `line` is no comment of the
  /// form `# key = value` or `# newdoc`.
  bool take_comment(Sentence& sentence, std::string_view line);
  void begin_document(std::string_view name);
  /// At the first token: notes where the sentence begins.
  void begin_tokens(Sentence& sentence) const;
  /// Once `sentence.bytes` is complete: makes the views of every kind of reader.
  void finish(Sentence& sentence);
  [[noreturn]] void fail(const std::string& problem, const std::string& fix) const;

  SentenceOptions options_;

 private:
  bool read_or_skip(Sentence& sentence, bool& got);
  void reset(Sentence& sentence);

  corpus::LineReader lines_;
  SentenceFormat format_;
  std::string_view text_;  // the line that was read last
  std::string document_;   // of the sentences to come
  std::size_t unnamed_documents_ = 0;
  std::vector<std::pair<Slice, Slice>> comments_;
  std::size_t found_ = 0, skipped_ = 0;
};

/// Whether `line` is `# key = value`; `key` and `value` are then its parts.
bool is_key_value(std::string_view line, std::string_view& key, std::string_view& value);
bool is_blank(std::string_view line);

}  // namespace megadapt::sentences
