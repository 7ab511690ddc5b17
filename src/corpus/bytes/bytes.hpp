#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// A stream of bytes: a file as stored, or decompressed.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `size` > 0 bytes, fewer from a slow pipe. Returns how many; 0 at the end.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// True for a pipe or a terminal, where read() may block until somebody writes.
  virtual bool may_wait() const = 0;
  /// SHA-256 of the stored bytes in hex. Empty until read() has returned 0, or when the
  /// source was opened without a digest.
  virtual std::string sha256() const = 0;
  /// Number of lines in the file before the first byte of this source, for messages.
  virtual std::size_t lines_before() const { return 0; }
  /// Whether the first byte of this source is the first byte of the file.
  virtual bool begins_file() const { return true; }
};

/// The name of the file at `path` in messages.
std::string display_name(const std::string& path);

/// The bytes of the file at `path` as they are stored; "-" is standard input. Throws
/// InputError when it cannot be opened or is a directory. When a signal interrupts read(),
/// it throws Interrupted if `stop` is set and continues otherwise.
std::unique_ptr<ByteSource> open_stored(const std::string& path,
                                        const std::atomic<bool>* stop = nullptr,
                                        bool digest = false);

/// The complete lines of the file at `path` that begin in `range`. Has no SHA-256.
std::unique_ptr<ByteSource> open_range(const std::string& path, const ByteRange& range);

/// The bytes of a text in memory, which must outlive the source. Has no SHA-256.
std::unique_ptr<ByteSource> open_bytes(std::string_view text);

/// Decompresses `stored` when its first bytes are those of gzip or zstd, and returns it
/// unchanged otherwise. read() throws InputError when compressed data is damaged or cut
/// off.
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> stored,
                                         const std::string& name);

/// Returns whether decompressed() would decompress this file.
bool is_compressed(const std::string& path);

}  // namespace megadapt::corpus
