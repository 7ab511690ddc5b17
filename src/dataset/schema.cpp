#include <string>

#include "base/sha256.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

template <class T>
void add(corpus::Sha256& sha, std::span<const T> values) {
  const std::uint64_t size = values.size();
  sha.add(reinterpret_cast<const char*>(&size), sizeof size);
  sha.add(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void add(corpus::Sha256& sha, const NameIndex& names) {
  add(sha, names.view().ends);
  add(sha, names.view().bytes);
}

}  // namespace

std::string Schema::digest() const {
  corpus::Sha256 sha;
  add(sha, features);
  add(sha, labels);
  add(sha, domains);
  add(sha, binning.features);
  add(sha, std::span<const std::uint32_t>(binning.begin));
  add(sha, std::span<const float>(binning.edges));
  if (!scaling.empty()) {
    add(sha, std::span<const float>(scaling.shift));
    add(sha, std::span<const float>(scaling.scale));
  }
  add(sha, std::span<const char>(std::string(tag_feature.begin(), tag_feature.end())));
  add(sha, std::span<const char>(scheme_name(scheme)));
  return sha.finish();
}

}  // namespace megadapt
