#pragma once

#include <openssl/sha.h>

#include <cstddef>
#include <string>

namespace megadapt::corpus {

/// SHA-256 of a stream of bytes.
class Sha256 {
 public:
  Sha256();
  void add(const char* bytes, std::size_t size);
  /// Returns the digest of everything added, in hex. Nothing can be added after this call.
  std::string finish();

 private:
  SHA256_CTX context_;
};

}  // namespace megadapt::corpus
