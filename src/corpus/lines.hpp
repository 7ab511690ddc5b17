#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/bytes.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {

/// Cuts a stream into lines and counts them. The text is checked to be UTF-8 on the way; a
/// byte order mark at the start is dropped.
///
///     for (std::string_view line; lines.next(line);) use(line);
class LineReader {
 public:
  /// This many bytes behind the end of a line may be read, so that kernels can work in
  /// blocks.
  static constexpr std::size_t kPadding = 64;
  static constexpr std::size_t kBufferSize = std::size_t{1} << 18;

  LineReader(std::unique_ptr<ByteSource> source, std::string file,
             std::size_t buffer_size = kBufferSize);

  /// The next line without its LF or CRLF, valid until the next call; false at the end.
  /// Throws InputError for a line with a NUL byte or invalid UTF-8.
  bool next(std::string_view& line);

  /// The last line as stored: with its end and a byte order mark. Valid as long as the
  /// line.
  std::string_view stored() const { return stored_; }

  /// Steps over the line that next() refused because of its bytes and returns true;
  /// stored() is then that line. Returns false when next() failed for another reason.
  bool skip_bad_line();

  /// The coming bytes, at least `size` unless the stream ends before. A pipe that has sent
  /// a whole line is not asked for more. Valid until the next call.
  std::string_view peek(std::size_t size);
  /// Whether the stream ends with what peek() returned.
  bool peeked_all() const { return ended_; }

  std::size_t line_number() const { return line_number_; }  ///< of the last line, from 1
  std::size_t lines_before() const { return source_->lines_before(); }
  const std::string& file() const { return file_; }
  std::string sha256() const { return source_->sha256(); }

 private:
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

  bool refill();
  void move_to_front();
  void check_new_text();
  [[noreturn]] void fail_bad_byte(std::string_view line) const;
  std::string_view from(std::size_t at, std::size_t end) const {
    return {buffer_.data() + at, end - at};
  }

  std::unique_ptr<ByteSource> source_;
  std::string file_;
  std::vector<char> buffer_;    // its last kPadding bytes stay unused
  std::size_t begin_ = 0;       // of the first line that was not handed out
  std::size_t end_ = 0;         // of the bytes that were read
  std::size_t checked_ = 0;     // of the bytes known to be text
  std::size_t bad_ = kNowhere;  // the first byte that is not
  std::size_t refused_ = 0;     // where the line ends that next() refused; 0: none
  std::string_view stored_;
  std::size_t line_number_ = 0;
  bool ended_ = false;
};

}  // namespace megadapt::corpus
