// Recognises compression by the first bytes of a stored file, and decompresses it.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/limits.hpp"
#include "corpus/bytes/decoder.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

constexpr std::size_t kStoredChunk = std::size_t{1} << 17;

struct Magic {
  std::vector<unsigned char> bytes;
  unsigned char first_mask;  // zstd has 16 kinds of skippable frame, 0x50 to 0x5f
  std::unique_ptr<ByteSource> (*decode)(StoredInput);
};

const std::vector<Magic>& magics() {
  static const std::vector<Magic> known = {
      {{0x1f, 0x8b}, 0xff, gunzipped},
      {{0x28, 0xb5, 0x2f, 0xfd}, 0xff, unzstd},
      {{0x50, 0x2a, 0x4d, 0x18}, 0xf0, unzstd},
  };
  return known;
}

bool agree(const std::vector<char>& head, const Magic& magic) {
  const std::size_t size = std::min(head.size(), magic.bytes.size());
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned mask = i == 0 ? magic.first_mask : 0xffU;
    if ((static_cast<unsigned char>(head[i]) & mask) != magic.bytes[i]) return false;
  }
  return true;
}

// Returns nullptr for plain bytes. Reads only while the bytes so far can be the beginning
// of a magic number: a program that sends "a\n" through a pipe must get its answer before
// it sends more.
const Magic* recognise(StoredInput& input) {
  for (;;) {
    const auto found = std::find_if(magics().begin(), magics().end(),
                                    [&](const Magic& m) { return agree(input.bytes, m); });
    if (found == magics().end()) return nullptr;
    if (input.bytes.size() >= found->bytes.size()) return &*found;
    char next = 0;
    if (input.source->read(&next, 1) == 0) return nullptr;
    input.bytes.push_back(next);
  }
}

class Plain final : public ByteSource {
 public:
  explicit Plain(StoredInput input) : input_(std::move(input)) {}
  std::size_t read(char* to, std::size_t size) override {
    if (used_ == input_.bytes.size()) return input_.source->read(to, size);
    const std::size_t count = std::min(size, input_.bytes.size() - used_);
    std::memcpy(to, input_.bytes.data() + used_, count);
    used_ += count;
    return count;
  }
  bool may_wait() const override { return input_.source->may_wait(); }
  std::string sha256() const override { return input_.source->sha256(); }

 private:
  StoredInput input_;
  std::size_t used_ = 0;
};

/// Counts the bytes that are read through it.
class Counted final : public ByteSource {
 public:
  Counted(std::unique_ptr<ByteSource> source, std::uint64_t already)
      : source_(std::move(source)), count_(already) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = source_->read(to, size);
    count_ += got;
    return got;
  }
  bool may_wait() const override { return source_->may_wait(); }
  std::string sha256() const override { return source_->sha256(); }
  std::uint64_t count() const { return count_; }

 private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t count_;
};

/// Decompressed bytes. Refuses data that expands too much.
class Bounded final : public ByteSource {
 public:
  /// `stored` must be the source that `decoded` reads from.
  Bounded(std::unique_ptr<ByteSource> decoded, const Counted& stored, std::string name)
      : decoded_(std::move(decoded)), stored_(stored), name_(std::move(name)) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = decoded_->read(to, size);
    count_ += got;
    if (count_ > kAnyExpansion && count_ / kMostExpansion > stored_.count()) {
      throw InputError({name_},
                       fmt::format("the compressed data expands to more than {} times its "
                                   "size",
                                   kMostExpansion),
                       "if you trust the file, decompress it yourself and give the result");
    }
    return got;
  }
  bool may_wait() const override { return decoded_->may_wait(); }
  std::string sha256() const override { return decoded_->sha256(); }

 private:
  std::unique_ptr<ByteSource> decoded_;
  const Counted& stored_;
  std::string name_;
  std::uint64_t count_ = 0;
};

}  // namespace

bool StoredInput::refill() {
  bytes.resize(kStoredChunk);
  bytes.resize(source->read(bytes.data(), bytes.size()));
  return !bytes.empty();
}

std::unique_ptr<ByteSource> plain(StoredInput input) {
  return std::make_unique<Plain>(std::move(input));
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> stored,
                                         const std::string& name) {
  StoredInput input{std::move(stored), {}, name};
  const Magic* magic = recognise(input);
  if (!magic) return plain(std::move(input));
  auto counted = std::make_unique<Counted>(std::move(input.source), input.bytes.size());
  const Counted& read_from = *counted;
  input.source = std::move(counted);
  return std::make_unique<Bounded>(magic->decode(std::move(input)), read_from, name);
}

bool is_compressed(const std::string& path) {
  StoredInput input{open_stored(path), {}, path};
  return recognise(input) != nullptr;
}

}  // namespace megadapt::corpus
