#include "base/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

// The newer interface (EVP) allocates, and libcrypto 3.0 crashes when it runs out of memory
// while it sets itself up. These functions cannot fail.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace megadapt::corpus {

Sha256::Sha256() { SHA256_Init(&context_); }

void Sha256::add(const char* bytes, std::size_t size) {
  SHA256_Update(&context_, bytes, size);
}

std::string Sha256::finish() {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256_Final(digest.data(), &context_);
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace megadapt::corpus

#pragma GCC diagnostic pop
