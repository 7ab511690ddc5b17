#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "corpus/bytes/decoder.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

constexpr int kGzipWindow = 15 + 16;  // zlib: largest window (15), gzip format (+ 16)

class Gunzipped final : public ByteSource {
 public:
  explicit Gunzipped(StoredInput input) : input_(std::move(input)) {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) throw std::bad_alloc();
    point_at_input();
  }
  ~Gunzipped() override { inflateEnd(&stream_); }
  Gunzipped(const Gunzipped&) = delete;
  Gunzipped& operator=(const Gunzipped&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    const auto room =
        static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    while (stream_.avail_out == room && !done_) {
      if (stream_.avail_in == 0 && !refill()) {
        fail("the gzip data ends too early",
             "the file is cut off: copy or download it again (check with 'gzip -t')");
      }
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        begin_next_member();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail("the gzip data is damaged",
             "copy or download it again (check with 'gzip -t')");
      }
    }
    return room - stream_.avail_out;
  }
  bool may_wait() const override { return input_.source->may_wait(); }
  std::string sha256() const override { return input_.source->sha256(); }

 private:
  void point_at_input() {
    stream_.next_in = reinterpret_cast<Bytef*>(input_.bytes.data());
    stream_.avail_in = static_cast<uInt>(input_.bytes.size());
  }
  bool refill() {
    if (!input_.refill()) return false;
    point_at_input();
    return true;
  }
  // A file may have several members (as `cat a.gz b.gz` makes), and may end with zero bytes
  // as padding.
  void begin_next_member() {
    bool padding = false;
    for (;;) {
      if (stream_.avail_in == 0 && !refill()) {
        done_ = true;
        return;
      }
      if (*stream_.next_in != 0) break;
      padding = true;
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (padding || *stream_.next_in != 0x1f) {
      fail("something that is not gzip follows the gzip data", "copy or download it again");
    }
    inflateReset(&stream_);
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& fix) {
    throw InputError({input_.name}, problem, fix);
  }

  StoredInput input_;
  z_stream stream_{};
  bool done_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gunzipped(StoredInput input) {
  return std::make_unique<Gunzipped>(std::move(input));
}

}  // namespace megadapt::corpus
