#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace megadapt::corpus {

/// SHA-256 of a stream of bytes.
class Sha256 {
 public:
  Sha256();
  void add(const char* bytes, std::size_t size);
  /// The digest of everything added, in hex. Nothing can be added afterwards.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace megadapt::corpus
