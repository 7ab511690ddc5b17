#include <zstd.h>

#include <new>
#include <utility>

#include "corpus/bytes/decoder.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

class Unzstd final : public ByteSource {
 public:
  explicit Unzstd(StoredInput input)
      : input_(std::move(input)), stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      const bool full_last_time = pending_output_;
      if (used_ == input_.bytes.size() && !full_last_time) {
        used_ = 0;  // set even if there is no more input: read() may be called again
        if (!input_.refill()) {
          if (between_frames_) return 0;
          fail("the zstd data ends too early",
               "the file is cut off: copy or download it again (check with 'zstd -t')");
        }
      }
      ZSTD_inBuffer in{input_.bytes.data(), input_.bytes.size(), used_};
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(status)) {
        fail(std::string("the zstd data is damaged: ") + ZSTD_getErrorName(status),
             "copy or download it again (check with 'zstd -t')");
      }
      used_ = in.pos;
      between_frames_ = status == 0;
      pending_output_ = !between_frames_ && out.pos == out.size;
    }
    return out.pos;
  }
  bool may_wait() const override { return input_.source->may_wait(); }
  std::string sha256() const override { return input_.source->sha256(); }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& fix) {
    throw InputError({input_.name}, problem, fix);
  }

  StoredInput input_;
  std::unique_ptr<ZSTD_DStream, FreeStream> stream_;
  std::size_t used_ = 0;         // number of input_.bytes that are used
  bool between_frames_ = false;  // only here may a file end
  bool pending_output_ = false;  // the decoder may hold bytes that did not fit
};

}  // namespace

std::unique_ptr<ByteSource> unzstd(StoredInput input) {
  return std::make_unique<Unzstd>(std::move(input));
}

}  // namespace megadapt::corpus
