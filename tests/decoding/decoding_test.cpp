#include "decoding/decoding.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "decoding/tiny_tagger.hpp"

namespace megadapt {
namespace {

using testing_support::for_each_sequence;
using testing_support::TinyTagger;

struct DecodingCase {
  TinyTagger tagger;
  TagTransitions transitions;
  std::vector<TagSequence> all;  // every allowed sequence, best first
};

// Returns up to 5 tokens and 5 tags under one of the schemes: at most 3125 sequences.
DecodingCase any_case() {
  const std::vector<std::vector<std::string>> tag_sets{{"A", "B-x", "c"},
                                                       {"O", "B", "I"},
                                                       {"O", "B", "I", "E", "S"},
                                                       {"B-x", "I-x", "B-y", "I-y", "O"},
                                                       {"x", "y"}};
  const auto which = *rc::gen::inRange<std::size_t>(0, tag_sets.size());
  const auto& tags = tag_sets[which];
  const auto tokens = *rc::gen::inRange<std::size_t>(1, 6);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1000000);
  DecodingCase result{TinyTagger(tokens, static_cast<std::uint32_t>(tags.size()), seed),
                      TagTransitions(tags, guess_scheme(tags)),
                      {}};
  for_each_sequence(result.tagger, result.transitions,
                    [&](const std::vector<std::uint32_t>& sequence, double p) {
                      result.all.push_back({sequence, std::log(p)});
                    });
  std::stable_sort(result.all.begin(), result.all.end(),
                   [](const TagSequence& a, const TagSequence& b) {
                     return a.log_probability > b.log_probability;
                   });
  return result;
}

/// A model whose probabilities are not numbers.
class NotANumber final : public LocalModel {
 public:
  std::size_t size() const override { return 3; }
  std::uint32_t num_tags() const override { return 2; }
  void probabilities(std::size_t, std::span<const std::uint32_t>,
                     std::span<double> probability) const override {
    std::ranges::fill(probability, NAN);
  }
};

TEST(Decoding, ProbabilitiesThatAreNoNumbersAreAnError) {
  EXPECT_THROW(best_tags(NotANumber(), TagTransitions(2)), NumericError);
}

// Sums of at most 5 logarithms in a different order agree far better than this.
constexpr double kClose = 1e-10;

RC_GTEST_PROP(Decoding, ViterbiFindsTheBestOfAllSequences, ()) {
  const DecodingCase c = any_case();
  const TagSequence best = best_tags(c.tagger, c.transitions);
  RC_ASSERT(best.tags == c.all[0].tags);
  RC_ASSERT(std::abs(best.log_probability - c.all[0].log_probability) < kClose);
  RC_ASSERT(std::abs(log_probability(c.tagger, best.tags) - best.log_probability) < kClose);
}

RC_GTEST_PROP(Decoding, NBestAreTheBestOfAllSequencesInOrder, ()) {
  const DecodingCase c = any_case();
  const auto count = *rc::gen::inRange<std::size_t>(1, 40);
  const auto best = n_best_tags(c.tagger, c.transitions, count);
  RC_ASSERT(best.size() == std::min(count, c.all.size()));
  for (std::size_t i = 0; i < best.size(); ++i) {
    RC_ASSERT(best[i].tags == c.all[i].tags);
    RC_ASSERT(std::abs(best[i].log_probability - c.all[i].log_probability) < kClose);
  }
}

RC_GTEST_PROP(Decoding, MarginalsSumOverAllSequences, ()) {
  const DecodingCase c = any_case();
  const std::uint32_t Y = c.tagger.num_tags();
  std::vector<double> expected(c.tagger.size() * Y);
  double total = 0;
  for (const TagSequence& sequence : c.all) {
    const double p = std::exp(sequence.log_probability);
    total += p;
    for (std::size_t t = 0; t < c.tagger.size(); ++t) {
      expected[t * Y + sequence.tags[t]] += p;
    }
  }
  const auto marginals = tag_marginals(c.tagger, c.transitions);
  RC_ASSERT(marginals.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    RC_ASSERT(std::abs(marginals[i] - expected[i] / total) < kClose);
  }
  if (!c.transitions.restricted()) RC_ASSERT(std::abs(total - 1) < kClose);
}

RC_GTEST_PROP(Decoding, AWideBeamIsExactAndANarrowOneNeverBetter, ()) {
  const DecodingCase c = any_case();
  const TagSequence exact = best_tags(c.tagger, c.transitions);
  RC_ASSERT(best_tags(c.tagger, c.transitions, c.tagger.num_tags()).tags == exact.tags);
  const TagSequence greedy = best_tags(c.tagger, c.transitions, 1);
  RC_ASSERT(greedy.log_probability <= exact.log_probability + kClose);
  RC_ASSERT(std::abs(log_probability(c.tagger, greedy.tags) - greedy.log_probability) <
            kClose);
}

TEST(Decoding, AnEmptySentenceHasNoTags) {
  const TinyTagger tagger(0, 3, 1);
  const TagTransitions free(3);
  EXPECT_TRUE(best_tags(tagger, free).tags.empty());
  EXPECT_TRUE(tag_marginals(tagger, free).empty());
  ASSERT_EQ(n_best_tags(tagger, free, 3).size(), 1);
  EXPECT_EQ(n_best_tags(tagger, free, 3)[0].log_probability, 0);
}

// Without O, B and S no tag may start a sentence. Then every sequence is allowed.
TEST(Decoding, IfNoSequenceIsAllowedAllAre) {
  const std::vector<std::string> tags{"I", "E"};
  const TinyTagger tagger(4, 2, 3);
  const TagTransitions none(tags, TagScheme::iobes), free(2);
  EXPECT_EQ(best_tags(tagger, none).tags, best_tags(tagger, free).tags);
  EXPECT_EQ(n_best_tags(tagger, none, 1)[0].tags, best_tags(tagger, free).tags);
  EXPECT_EQ(tag_marginals(tagger, none), tag_marginals(tagger, free));
}

// Adds three certain tokens to a long sentence. By then the bound and the scores compared
// with it have been rounded differently.
class CertainInTheEnd final : public LocalModel {
 public:
  explicit CertainInTheEnd(const TinyTagger& begin) : begin_(begin) {}
  std::size_t size() const override { return begin_.size() + 3; }
  std::uint32_t num_tags() const override { return begin_.num_tags(); }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override {
    if (t < begin_.size()) return begin_.probabilities(t, previous, probability);
    ASSERT_FALSE(previous.empty());
    std::ranges::fill(probability, 0);
    for (std::size_t i = 0; i < previous.size(); ++i) probability[i * num_tags()] = 1;
  }

 private:
  const TinyTagger& begin_;
};

TEST(Decoding, NoTagOfTheBestSequenceIsDroppedByRounding) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TinyTagger begin(50000, 4, seed);
    const CertainInTheEnd tagger(begin);
    const TagTransitions transitions(4);
    const TagSequence best = best_tags(tagger, transitions);
    const TagSequence all = best_tags(tagger, transitions, 4);  // a beam of all tags
    EXPECT_EQ(best.tags, all.tags);
    EXPECT_EQ(best.log_probability, all.log_probability);
  }
}

TEST(Decoding, AVeryLongSentenceNeitherUnderflowsNorNeedsALattice) {
  const TinyTagger tagger(20000, 3, 5);
  const std::vector<std::string> tags{"O", "B", "I"};
  const TagTransitions transitions(tags, TagScheme::iob2);
  const TagSequence best = best_tags(tagger, transitions);
  EXPECT_EQ(best.tags.size(), 20000);
  EXPECT_TRUE(std::isfinite(best.log_probability));
  EXPECT_NEAR(log_probability(tagger, best.tags), best.log_probability, 1e-6);
  const auto marginals = tag_marginals(tagger, transitions);
  for (std::size_t t = 0; t < tagger.size(); ++t) {
    EXPECT_NEAR(marginals[3 * t] + marginals[3 * t + 1] + marginals[3 * t + 2], 1, 1e-12);
  }
}

}  // namespace
}  // namespace megadapt
