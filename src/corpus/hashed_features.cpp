#include "corpus/readers.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <charconv>

namespace megadapt::corpus {
namespace {

constexpr std::size_t kLongestName = 12;  // "#" and up to ten digits

}  // namespace

void FeatureHasher::rename(std::span<NamedFeature> features) {
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

}  // namespace megadapt::corpus
