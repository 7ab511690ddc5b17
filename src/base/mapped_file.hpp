#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// The bytes of a file, read-only. A regular file is mapped; standard input ("-") and pipes
/// are read into memory. A mapped file must not be shortened while it is in use.
/// (AtomicFile never shortens a file: it replaces it by a new one.)
///
/// Throws InputError when the file cannot be read, ResourceError when memory runs out.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }

 private:
  void map(int descriptor, std::size_t size, const std::string& path);
  void read_all(int descriptor, const std::string& path);

  void* mapping_ = nullptr;
  std::vector<std::byte> owned_;
  std::span<const std::byte> bytes_;
};

}  // namespace megadapt
