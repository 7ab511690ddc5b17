#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace megadapt {

/// xoshiro256** of Blackman and Vigna, seeded through splitmix64. The standard library's
/// distributions may differ from one platform to the next; this class gives the same
/// numbers for a seed everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) word = splitmix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform in [0, 1), 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in [0, bound); bound > 0. Lemire's method: multiply a 32-bit fraction by the
  /// bound, and reject the few fractions that would make small numbers more likely.
  std::uint32_t below(std::uint32_t bound) {
    const std::uint32_t favoured = (0 - bound) % bound;
    std::uint64_t product = 0;
    do {
      product = (next() >> 32) * bound;
    } while (static_cast<std::uint32_t>(product) < favoured);
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Draws from Binomial(trials, probability). Exact, with about trials / 32 calls of
  /// next(): each trial is a random binary fraction U that is compared with the probability
  /// bit by bit. At each bit, all undecided trials toss a coin together; those whose coin
  /// differs from the bit of the probability are decided, the rest go on to the next bit.
  std::uint64_t binomial(std::uint64_t trials, double probability) {
    if (probability >= 1) return trials;
    std::uint64_t successes = 0;
    for (std::uint64_t undecided = trials; undecided > 0 && probability > 0;) {
      const std::uint64_t ones = heads(undecided);
      probability *= 2;
      if (probability >= 1) {
        probability -= 1;
        successes += undecided - ones;  // U has bit 0, the probability 1: U < probability
        undecided = ones;
      } else {
        undecided -= ones;  // U has bit 1, the probability 0: U > probability
      }
    }
    return successes;
  }

 private:
  static std::uint64_t splitmix(std::uint64_t& seed) {
    std::uint64_t z = (seed += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Draws from Binomial(tosses, 1/2): counts the ones among that many random bits.
  std::uint64_t heads(std::uint64_t tosses) {
    std::uint64_t ones = 0;
    for (; tosses >= 64; tosses -= 64) ones += count_ones(next());
    if (tosses > 0) ones += count_ones(next() >> (64 - tosses));
    return ones;
  }

  static std::uint64_t count_ones(std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
  }

  std::array<std::uint64_t, 4> state_;
};

}  // namespace megadapt
