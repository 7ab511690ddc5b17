#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "corpus/bytes/bytes.hpp"

namespace megadapt::corpus {

/// Bytes in memory; read() returns at most `chunk` of them at a time.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, std::size_t chunk = std::string::npos,
                        bool may_wait = false)
      : bytes_(std::move(bytes)), chunk_(chunk), may_wait_(may_wait) {}

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min({size, chunk_, bytes_.size() - used_});
    std::memcpy(to, bytes_.data() + used_, count);
    used_ += count;
    return count;
  }
  bool may_wait() const override { return may_wait_; }
  std::string sha256() const override { return "none"; }

  std::size_t used() const { return used_; }

 private:
  std::string bytes_;
  std::size_t chunk_;
  bool may_wait_;
  std::size_t used_ = 0;
};

}  // namespace megadapt::corpus
