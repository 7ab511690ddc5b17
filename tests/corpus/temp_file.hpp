#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

namespace megadapt::corpus {

/// A file in the test's temporary folder; the destructor removes it.
class TempFile {
 public:
  explicit TempFile(const std::string& bytes) : path_(unique_path()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TempFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::string& path() const { return path_; }

  static std::string unique_path() {
    static std::atomic<int> count = 0;
    return testing::TempDir() + fmt::format("corpus_test.{}.{}", getpid(), ++count);
  }

 private:
  std::string path_;
};

}  // namespace megadapt::corpus
