#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/lines.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::sentences {

/// A sentence that cannot be used; the rest of the file still can.
class BadSentence : public InputError {
 public:
  using InputError::InputError;
};

/// Base of all sentence readers: reads lines, tracks documents, keeps the bytes as stored
/// and skips bad sentences. Positions are kept as offsets while `sentence.bytes` grows and
/// become views at the end.
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

  /// Reads up to the end of the next sentence. Returns false at the end of the file.
  virtual bool read(Sentence& sentence) = 0;
  /// Skips the rest of a sentence that read() refused.
  virtual void skip_rest(Sentence& sentence) = 0;

  /// Reads a line and appends its bytes to `sentence.bytes`. Returns false at the end.
  bool next_line(Sentence& sentence, std::string_view& line);
  /// Returns where `part`, a part of the last line, is in `sentence.bytes`.
  Slice slice(const Sentence& sentence, std::string_view part) const;
  std::string_view view(const Sentence& sentence, Slice slice) const {
    return {sentence.bytes.data() + slice.begin, slice.size};
  }
  /// Records a comment and begins a document if the comment says so. Returns false when
  /// `line` is not of the form `# key = value` or `# newdoc`.
  bool take_comment(Sentence& sentence, std::string_view line);
  void begin_document(std::string_view name);
  /// Call this at the first token. Records the line and the document of the sentence.
  void begin_tokens(Sentence& sentence) const;
  /// Call this when the `forms` of a text sentence are complete. Sets `tokens` to the forms
  /// or, for recap, to the lower-cased forms, and the tags to their case.
  void set_tokens(Sentence& sentence);
  /// Call this when `sentence.bytes` is complete. Sets the views that all formats share.
  void finish(Sentence& sentence);
  [[noreturn]] void fail(const std::string& problem, const std::string& fix) const;

  SentenceOptions options_;

 private:
  bool read_or_skip(Sentence& sentence, bool& got);
  void reset(Sentence& sentence);

  corpus::LineReader lines_;
  SentenceFormat format_;
  std::string_view text_;  // the line that was read last
  std::string document_;   // the document of the sentences to come
  std::size_t unnamed_documents_ = 0;
  std::vector<std::pair<Slice, Slice>> comments_;
  std::size_t found_ = 0, skipped_ = 0;
  std::string lowered_;  // the tokens of set_tokens() and where each ends
  std::vector<std::size_t> lowered_ends_;
};

/// Returns whether `line` is `# key = value`, and if so sets `key` and `value`.
bool is_key_value(std::string_view line, std::string_view& key, std::string_view& value);
bool is_blank(std::string_view line);

}  // namespace megadapt::sentences
