#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "decoding/decoding.hpp"

namespace megadapt::testing_support {

/// A table of random local probabilities: [T][Y + 1][Y]; row Y is for the start.
class TinyTagger final : public LocalModel {
 public:
  TinyTagger(std::size_t tokens, std::uint32_t tags, std::uint64_t seed)
      : tokens_(tokens), tags_(tags), p_(tokens * (tags + 1) * tags) {
    Random random(seed);
    for (std::size_t row = 0; row < tokens * (tags + 1); ++row) {
      double total = 0;
      for (std::uint32_t y = 0; y < tags; ++y) {
        total += p_[row * tags + y] = std::exp(6 * random.uniform());
      }
      for (std::uint32_t y = 0; y < tags; ++y) p_[row * tags + y] /= total;
    }
  }

  std::size_t size() const override { return tokens_; }
  std::uint32_t num_tags() const override { return tags_; }
  double p(std::size_t t, std::uint32_t previous, std::uint32_t tag) const {
    const std::size_t row = previous == kNone ? tags_ : previous;
    return p_[(t * (tags_ + 1) + row) * tags_ + tag];
  }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override {
    auto out = probability.begin();
    for (const std::uint32_t before : previous) {
      for (std::uint32_t y = 0; y < tags_; ++y) *out++ = p(t, before, y);
    }
  }

 private:
  std::size_t tokens_;
  std::uint32_t tags_;
  std::vector<double> p_;
};

/// Calls visit(tags, probability) for every sequence that `transitions` allow.
inline void for_each_sequence(
    const TinyTagger& tagger, const TagTransitions& transitions,
    const std::function<void(const std::vector<std::uint32_t>&, double)>& visit) {
  std::vector<std::uint32_t> tags;
  const std::function<void(double)> extend = [&](double product) {
    const std::size_t t = tags.size();
    if (t == tagger.size()) {
      if (t == 0 || transitions.at_end()[tags.back()] == 1) visit(tags, product);
      return;
    }
    const std::uint32_t previous = t == 0 ? kNone : tags.back();
    for (std::uint32_t y = 0; y < tagger.num_tags(); ++y) {
      if (transitions.after(previous)[y] == 0) continue;
      const double longer = product * tagger.p(t, previous, y);
      tags.push_back(y);
      extend(longer);
      tags.pop_back();
    }
  };
  extend(1);
}

}  // namespace megadapt::testing_support
