#pragma once

#include <cstddef>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// An output that appears whole or not at all:
///
///     AtomicFile file("m.mega");
///     file.write(bytes);
///     file.commit();
///
/// Bytes go to a temporary file beside the target, which commit() flushes to the disk and
/// renames. Without commit() the destructor removes it, so an exception (Ctrl-C becomes
/// one) leaves the old file as it was. A new file gets the mode the umask allows, an
/// existing one keeps its mode, a symbolic link its place.
///
/// "-", "/dev/stdout" and whatever is no regular file (a pipe, /dev/null) are written
/// directly.
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
  /// Passes on what is buffered, so that the reader of a pipe sees it.
  void flush();
  void commit();

  /// The same file as a stream; its failures are thrown, not kept as a state.
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
  int descriptor_ = -1;
  std::vector<char> buffer_;
  std::unique_ptr<StreamBuffer> stream_buffer_;
  std::ostream stream_;
};

}  // namespace megadapt
