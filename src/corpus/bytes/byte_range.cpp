// Ranks that share a file each read a range of it: the lines that begin there.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "corpus/bytes/bytes.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;

class RangeSource final : public ByteSource {
 public:
  RangeSource(const std::string& path, const ByteRange& range)
      : name_(display_name(path)), range_(range) {
    open_stored(path);  // only to throw when something is wrong with the path
    file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    skip_line_before();
  }
  ~RangeSource() override {
    if (file_ >= 0) close(file_);
  }
  RangeSource(const RangeSource&) = delete;
  RangeSource& operator=(const RangeSource&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    if (ended_) return 0;
    std::size_t got = read_at(at_, to, size);
    ended_ = got == 0;
    // The last line ends at the first newline at or after the range's last byte.
    const std::uint64_t last = range_.end - 1;
    if (at_ + got > last) {
      const std::size_t from = last > at_ ? last - at_ : 0;
      if (const void* newline = std::memchr(to + from, '\n', got - from)) {
        got = static_cast<std::size_t>(static_cast<const char*>(newline) - to) + 1;
        ended_ = true;
      }
    }
    at_ += got;
    return got;
  }
  bool may_wait() const override { return false; }
  std::string sha256() const override { return {}; }

  // Not cached: only an error message needs it, so it is called at most once.
  std::size_t lines_before() const override {
    std::vector<char> buffer(kChunk);
    std::size_t lines = 0;
    for (std::uint64_t at = 0; at < first_;) {
      const std::size_t got =
          read_at(at, buffer.data(), std::min<std::uint64_t>(kChunk, first_ - at));
      if (got == 0) break;
      lines += static_cast<std::size_t>(std::count(
          buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got), '\n'));
      at += got;
    }
    return lines;
  }

  bool begins_file() const override { return first_ == 0; }

 private:
  // The first line of the range begins after the first newline at or after begin - 1.
  void skip_line_before() {
    at_ = range_.begin;
    if (range_.begin > 0) {
      std::vector<char> buffer(kChunk);
      for (at_ = range_.begin - 1;;) {
        const std::size_t got = read_at(at_, buffer.data(), kChunk);
        const void* newline = got > 0 ? std::memchr(buffer.data(), '\n', got) : nullptr;
        if (newline) {
          at_ += static_cast<std::uint64_t>(static_cast<const char*>(newline) -
                                            buffer.data()) +
                 1;
          break;
        }
        at_ += got;
        if (got == 0 || at_ >= range_.end) break;
      }
    }
    first_ = at_;
    ended_ = at_ >= range_.end;
  }

  std::size_t read_at(std::uint64_t at, char* to, std::size_t size) const {
    for (;;) {
      const auto got = pread(file_, to, size, static_cast<off_t>(at));
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(errno);
    }
  }

  [[noreturn]] void fail(int code) const {
    throw InputError({name_}, "cannot be read: " + std::generic_category().message(code),
                     "check the disk");
  }

  std::string name_;
  ByteRange range_;
  int file_ = -1;
  std::uint64_t at_ = 0;     // offset of the next byte
  std::uint64_t first_ = 0;  // offset of the first line
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> open_range(const std::string& path, const ByteRange& range) {
  return std::make_unique<RangeSource>(path, range);
}

}  // namespace megadapt::corpus
