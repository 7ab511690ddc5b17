#pragma once

#include <string>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// Calls features by a hash of their names, so that the vocabulary cannot outgrow 2^bits.
/// Two names with one hash become one feature. 0 bits leave names alone.
class FeatureHasher {
 public:
  explicit FeatureHasher(int bits) : bits_(bits) {}
  /// The new names are valid until the next call.
  void rename(std::vector<NamedFeature>& features);

 private:
  int bits_;
  std::string names_;
};

}  // namespace megadapt::corpus
