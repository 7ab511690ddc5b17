#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// An output file that appears complete or not at all:
///
///     AtomicFile file("m.mega");
///     file.write(bytes);
///     file.commit();
///
/// Bytes go to a temporary file beside the target, which commit() flushes to the disk and
/// renames. Without commit() the destructor removes it, so an exception (Ctrl-C becomes
/// one) leaves the old file as it was. A new file gets the mode that the umask allows, an
/// existing file keeps its mode, and a symbolic link stays a link to the same target.
///
/// "-", "/dev/stdout" and anything other than a regular file (a pipe, /dev/null) are
/// written directly.
///
/// Throws UsageError when the place cannot be written, ResourceError when the disk is full
/// or fails.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);
  void write(std::span<const std::byte> bytes);
  /// Writes the buffered bytes, so that the reader of a pipe sees them.
  void flush();
  void commit();

  /// The same file as a stream. A failed write throws instead of setting a stream state.
  std::ostream& stream() { return stream_; }

 private:
  class StreamBuffer;

  void open_directly();
  void open_beside();
  void write_through(const char* data, std::size_t size);
  void sync_directory() const;
  [[noreturn]] void fail(int error, const std::string& doing) const;

  std::string path_;       // as the caller wrote it, for messages
  std::string target_;     // after symbolic links; empty when written directly
  std::string temporary_;  // empty when written directly, and after commit()
  int note_ = -1;          // of note_temporary()
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::unique_ptr<StreamBuffer> stream_buffer_;
  std::ostream stream_;
};

}  // namespace megadapt
