#include "base/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

void require(int ok) {
  if (ok != 1) throw ResourceError("libcrypto cannot compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(context_ ? 1 : 0);
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(const char* bytes, std::size_t size) {
  require(EVP_DigestUpdate(context_.get(), bytes, size));
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size));
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
}

}  // namespace megadapt::corpus
