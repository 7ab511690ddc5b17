#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/bytes/bytes.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {

/// Splits a stream into lines, counts them, and checks that they are UTF-8. Drops a byte
/// order mark at the start of the file.
///
///     for (std::string_view line; lines.next(line);) use(line);
class LineReader {
 public:
  /// This many bytes after a line are readable, so that kernels can work in blocks.
  static constexpr std::size_t kPadding = 64;
  static constexpr std::size_t kBufferSize = std::size_t{1} << 18;

  LineReader(std::unique_ptr<ByteSource> source, std::string file,
             std::size_t buffer_size = kBufferSize);

  /// Sets `line` to the next line without its LF or CRLF, valid until the next call.
  /// Returns false at the end. Throws InputError for a line with a NUL byte or invalid
  /// UTF-8.
  bool next(std::string_view& line);

  /// The last line as stored: with its newline and byte order mark. Valid until next().
  std::string_view stored() const { return stored_; }

  /// Skips the line that next() refused because of its bytes, and returns true; stored()
  /// then returns that line. Returns false when next() failed for another reason.
  bool skip_bad_line();

  /// Returns the next bytes, at least `size` unless the stream ends first or is a pipe that
  /// has sent only one or more whole lines. Valid until the next call.
  std::string_view peek(std::size_t size);
  /// Returns whether peek() returned everything up to the end of the stream.
  bool peeked_all() const { return ended_; }

  std::size_t line_number() const { return line_number_; }  ///< of the last line, from 1
  std::size_t lines_before() const { return source_->lines_before(); }
  const std::string& file() const { return file_; }
  std::string sha256() const { return source_->sha256(); }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  void drop_mark(std::string_view& text) const;
  bool refill();
  void move_to_front();
  void check_new_text();
  [[noreturn]] void fail_long_line() const;
  [[noreturn]] void fail_bad_byte(std::string_view line) const;
  std::string_view from(std::size_t at, std::size_t end) const {
    return {buffer_.data() + at, end - at};
  }

  std::unique_ptr<ByteSource> source_;
  std::string file_;
  std::vector<char> buffer_;    // the last kPadding bytes stay unused
  std::size_t begin_ = 0;       // where the next line begins
  std::size_t end_ = 0;         // where the bytes read so far end
  std::size_t checked_ = 0;     // where the bytes known to be valid text end
  std::size_t bad_ = kNowhere;  // the first invalid byte
  std::size_t refused_ = 0;     // end of the line that next() refused; 0: none
  std::string_view stored_;
  std::size_t line_number_ = 0;
  bool ended_ = false;
};

}  // namespace megadapt::corpus
