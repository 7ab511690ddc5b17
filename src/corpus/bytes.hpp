#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// A stream of bytes: a stored file, or what comes out of its decompression.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `size` > 0 bytes; 0 only at the end. A pipe gives what has arrived.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// True for a pipe or a terminal, where asking for more may wait for somebody to write.
  virtual bool may_wait() const = 0;
  /// SHA-256 of the stored bytes in hex; empty until read() has returned 0, and where the
  /// source was opened without a digest.
  virtual std::string sha256() const = 0;
  /// How many lines of the file come before the first byte, for messages.
  virtual std::size_t lines_before() const { return 0; }
};

/// How messages call the file at `path`.
std::string display_name(const std::string& path);

/// The bytes of the file at `path` as they are stored; "-" is standard input. Throws
/// InputError when it cannot be opened or is a directory. A read() that a signal wakes up
/// throws Interrupted when `stop` is set, and waits on otherwise.
std::unique_ptr<ByteSource> open_stored(const std::string& path,
                                        const std::atomic<bool>* stop = nullptr,
                                        bool digest = false);

/// The lines of the file at `path` that begin in `range`, whole. They have no SHA-256.
std::unique_ptr<ByteSource> open_range(const std::string& path, const ByteRange& range);

/// The same as open_stored() with gzip and zstd undone, which are recognised by their first
/// bytes. Damaged or truncated compression throws InputError from read().
std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> stored,
                                         const std::string& name);

/// Whether decompressed() would undo something.
bool is_compressed(const std::string& path);

}  // namespace megadapt::corpus
