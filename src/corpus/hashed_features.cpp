#include "corpus/readers.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>
#include <utility>

namespace megadapt::corpus {
namespace {

constexpr std::size_t kLongestName = 12;  // "#" and up to ten digits

class HashedRows final : public RowReader {
 public:
  HashedRows(std::unique_ptr<RowReader> reader, int bits)
      : reader_(std::move(reader)), hasher_(bits) {}
  bool next(Row& row) override {
    if (!reader_->next(row)) return false;
    hasher_.rename(row.features);
    return true;
  }
  Format format() const override { return reader_->format(); }
  Place place() const override { return reader_->place(); }
  std::string sha256() const override { return reader_->sha256(); }

 private:
  std::unique_ptr<RowReader> reader_;
  FeatureHasher hasher_;
};

}  // namespace

void FeatureHasher::rename(std::vector<NamedFeature>& features) {
  if (bits_ == 0) return;
  names_.resize(features.size() * kLongestName);  // once: names will point into it
  char* to = names_.data();
  for (NamedFeature& feature : features) {
    const std::uint64_t hash = XXH3_64bits(feature.name.data(), feature.name.size());
    char* const begin = to;
    *to++ = '#';
    to = std::to_chars(to, begin + kLongestName, hash >> (64 - bits_)).ptr;
    feature.name = {begin, static_cast<std::size_t>(to - begin)};
  }
}

std::unique_ptr<RowReader> hash_features(std::unique_ptr<RowReader> reader, int bits) {
  return std::make_unique<HashedRows>(std::move(reader), bits);
}

}  // namespace megadapt::corpus
