#pragma once

#include <memory>
#include <string>
#include <vector>

#include "corpus/bytes/bytes.hpp"

namespace megadapt::corpus {

/// Stored bytes, the first of which were already read to recognise their compression.
struct StoredInput {
  std::unique_ptr<ByteSource> source;
  std::vector<char> bytes;  ///< read but not used yet
  std::string name;

  /// Replaces `bytes` by the next ones. Returns false at the end.
  bool refill();
};

std::unique_ptr<ByteSource> plain(StoredInput input);
std::unique_ptr<ByteSource> gunzipped(StoredInput input);
std::unique_ptr<ByteSource> unzstd(StoredInput input);

}  // namespace megadapt::corpus
