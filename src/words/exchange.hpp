#pragma once

#include <cstdint>
#include <vector>

#include "megadapt/execution.hpp"
#include "words/bigrams.hpp"

namespace megadapt::words {

/// x ln x for whole numbers, with 0 ln 0 = 0.
class XLogX {
 public:
  explicit XLogX(std::uint64_t largest);
  double operator()(std::uint64_t x) const;

 private:
  std::vector<double> table_;
};

/// Clusters words by exchange (Kneser & Ney 1993; Martin, Liermann & Ney 1998): a word moves
/// to the class that raises the likelihood of the class bigram model (Brown et al. 1992) most,
///
///     F = sum_cd N(c,d) ln N(c,d) - 2 sum_c N(c) ln N(c),
///
/// which is the log likelihood of the text without terms that no move changes. Border and
/// rare words have classes of their own, which stay.
///
/// Words are taken in batches, from the most frequent on. All words of a batch choose by the
/// classes before the batch, in parallel. They then move one after the other, each only if
/// that still raises F. So the result does not depend on the number of threads, and F never
/// falls.
class Exchange {
 public:
  static constexpr std::size_t kBatch = 32;
  /// Smaller gains do not count. Gains that differ by less are equal, and then the class with
  /// the smaller number wins.
  static constexpr double kLeastGain = 1e-6;

  /// `bigrams` must outlive this. The first `classes` words begin in classes of their own,
  /// the others in classes drawn with the seed.
  Exchange(const Bigrams& bigrams, std::uint32_t classes, std::uint64_t seed);

  /// Offers every word a move and returns how many moved.
  std::size_t round(const Execution& exec);
  /// F, computed from the counts of classes.
  double objective() const;
  /// The mean log likelihood of a token given the token before it, in nats.
  double log_likelihood() const;

  std::uint32_t num_classes() const { return classes_; }
  /// [symbols]: the class of each word, then of border and rare words.
  const std::vector<std::uint32_t>& class_of() const { return class_of_; }
  /// N(c, d); two more classes than num_classes().
  std::uint32_t pairs(std::uint32_t c, std::uint32_t d) const {
    return pairs_[c * width_ + d];
  }
  const std::vector<std::uint64_t>& count() const { return count_; }

 private:
  struct Profile;
  struct Choice {
    std::uint32_t word = 0, to = 0;
  };
  // Adds `by` to N(c, d) in all four tables.
  void change(std::uint32_t c, std::uint32_t d, std::int64_t by);
  void profile_of(std::uint32_t word, Profile& profile) const;
  std::uint32_t best_class(std::uint32_t word, Profile& profile) const;
  double gain(std::uint32_t word, std::uint32_t to, const Profile& profile) const;
  double loss_of_leaving(std::uint32_t word, const Profile& profile) const;
  void score_side(const std::vector<std::uint32_t>& list,
                  const std::vector<std::uint32_t>& own,
                  const std::vector<std::uint32_t>& other,
                  const std::vector<std::uint32_t>& counts, const std::vector<double>& one,
                  std::uint32_t from, std::vector<double>& score) const;
  void move(std::uint32_t word, std::uint32_t to, const Profile& profile);

  const Bigrams& bigrams_;
  std::uint32_t classes_;
  std::size_t width_;  // classes, border, rare words
  XLogX phi_;
  std::vector<std::uint32_t> class_of_;  // [symbols]
  std::vector<std::uint64_t> count_;     // [width]
  // The counts of class pairs and their transpose, and what one more pair adds to F.
  std::vector<std::uint32_t> pairs_, turned_;  // [width][width]: N(c,d), N(d,c)
  std::vector<double> one_, one_turned_;       // phi(N + 1) - phi(N) of the same
};

}  // namespace megadapt::words
