#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "corpus/lines.hpp"
#include "corpus/text/feature_maker.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

inline constexpr const char* kUnlabelledHint =
    "; rows without labels can only be predicted, by 'megadapt predict --no-labels'";

/// How many bytes of a file are read to guess its format.
inline constexpr std::size_t kSampleSize = std::size_t{1} << 16;

[[noreturn]] void throw_no_rows(const std::string& file);

/// Base of the readers of all formats: reads line by line and counts lines for messages.
class LineRows : public RowReader {
 public:
  LineRows(LineReader lines, Format format, const ReadOptions& options);

  bool next(Row& row) final;
  Format format() const final { return format_; }
  Place place() const final;
  std::string sha256() const final { return lines_.sha256(); }

 protected:
  /// Parses a line into `row`, which has been reset except for its features, which are
  /// still those of the row before. A row of text gets only the features of its columns; the
  /// others are made afterwards. Returns false when the line is blank or a comment.
  virtual bool parse(std::string_view line, Row& row) = 0;

  /// Throws InputError about the line that was read last.
  [[noreturn]] void fail(const std::string& problem, const std::string& fix) const;
  [[noreturn]] void fail_value(std::string_view value, std::string_view feature,
                               const char* problem) const;
  void set_weight(std::string_view text, Row& row) const;
  /// For formats whose labels may hold any character: refuses an empty label, and one with
  /// control characters, which would break the lines of an output. `fix` says how to write
  /// a label.
  void set_label(std::string_view label, Row& row, const char* fix) const;
  /// Sets the labels of a row whose label is uncertain. Shares need not sum to 1.
  void set_shares(std::span<const NamedShare> shares, Row& row) const;
  void check_label(std::string_view label) const;

  /// Starts the features of a row of text with those of its columns.
  void add_columns(Row& row, const FeatureMaker::GetColumn& get);

  bool labelled() const { return options_.labelled; }
  const ReadOptions& options() const { return options_; }
  /// Reads a line outside of next(): a header, or the rest of a quoted field.
  bool next_line(std::string_view& line) { return lines_.next(line); }
  /// Returns the next bytes, enough for a guess, and whether no more follow. Valid until
  /// the next line is read.
  std::pair<std::string_view, bool> peek() {
    const std::string_view bytes = lines_.peek(kSampleSize);
    return {bytes, lines_.peeked_all()};
  }
  /// Sets the line that messages show.
  void set_current(std::string_view line);
  void set_current_text(std::string_view line) { text_ = line; }

 private:
  LineReader lines_;
  Format format_;
  ReadOptions options_;
  FeatureMaker maker_;
  std::size_t line_ = 0;
  std::string_view text_;
  std::size_t rows_ = 0;
};

}  // namespace megadapt::corpus
