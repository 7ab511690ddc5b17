#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace megadapt::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

/// Ends the program and prints both texts if they differ.
inline void require_same(const std::string& one, const std::string& other) {
  if (one == other) return;
  std::fprintf(stderr, "two ways differ:\n%s\n---\n%s\n", one.c_str(), other.c_str());
  std::abort();
}

/// Takes a byte that chooses among `count` ways to read the rest.
inline std::size_t take_choice(std::string_view& bytes, std::size_t count) {
  if (bytes.empty()) return 0;
  const auto choice = static_cast<unsigned char>(bytes[0]) % count;
  bytes.remove_prefix(1);
  return choice;
}

/// A file in memory, for readers that take a path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("fuzz", 0)) {
    require(write(descriptor_, bytes.data(), bytes.size()) ==
            static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// A folder that the destructor removes.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_((std::filesystem::temp_directory_path() / "megadapt-fuzz-XXXXXX")) {
    require(mkdtemp(path_.data()) != nullptr);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every three bytes of `changes` are a change of `bytes`: where, in two bytes, and to what.
inline std::string with_changes(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 3; changes.remove_prefix(3)) {
    const auto low = static_cast<unsigned char>(changes[0]);
    const auto high = static_cast<unsigned char>(changes[1]);
    bytes[(low + 256u * high) % bytes.size()] = changes[2];
  }
  return bytes;
}

}  // namespace megadapt::fuzz
