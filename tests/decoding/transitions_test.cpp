#include <gmock/gmock.h>

#include "decoding/decoding.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;

TEST(Transitions, Iob2ContinuesOnlyWhatBeganWithTheSameType) {
  const std::vector<std::string> tags{"O", "B-x", "I-x", "B-y", "I-y"};
  const TagTransitions allowed(tags, TagScheme::iob2);
  EXPECT_THAT(allowed.after(0), ElementsAre(1, 1, 0, 1, 0));
  EXPECT_THAT(allowed.after(1), ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(allowed.after(2), ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(allowed.after(4), ElementsAre(1, 1, 0, 1, 1));
  EXPECT_THAT(allowed.after(kNone), ElementsAre(1, 1, 0, 1, 0));
  EXPECT_THAT(allowed.at_end(), ElementsAre(1, 1, 1, 1, 1));
}

TEST(Transitions, IobesEndsWhatItBegins) {
  const std::vector<std::string> tags{"O", "B", "I", "E", "S"};
  const TagTransitions allowed(tags, TagScheme::iobes);
  EXPECT_THAT(allowed.after(0), ElementsAre(1, 1, 0, 0, 1));
  EXPECT_THAT(allowed.after(1), ElementsAre(0, 0, 1, 1, 0));
  EXPECT_THAT(allowed.after(2), ElementsAre(0, 0, 1, 1, 0));
  EXPECT_THAT(allowed.after(3), ElementsAre(1, 1, 0, 0, 1));
  EXPECT_THAT(allowed.after(4), ElementsAre(1, 1, 0, 0, 1));
  EXPECT_THAT(allowed.after(kNone), ElementsAre(1, 1, 0, 0, 1));
  EXPECT_THAT(allowed.at_end(), ElementsAre(1, 0, 0, 1, 1));
}

TEST(Transitions, WithoutASchemeEverythingMayFollow) {
  const std::vector<std::string> tags{"O", "I"};
  const TagTransitions allowed(tags, TagScheme::none);
  EXPECT_FALSE(allowed.restricted());
  EXPECT_THAT(allowed.after(kNone), ElementsAre(1, 1));
}

TEST(Transitions, TheSchemeIsReadOffTheTags) {
  using Tags = std::vector<std::string>;
  EXPECT_EQ(guess_scheme(Tags{"O", "B", "I"}), TagScheme::iob2);
  EXPECT_EQ(guess_scheme(Tags{"B-PER", "I-LOC", "O"}), TagScheme::iob2);
  EXPECT_EQ(guess_scheme(Tags{"O", "S-PER", "B-PER"}), TagScheme::iobes);
  EXPECT_EQ(guess_scheme(Tags{"O", "I"}), TagScheme::none);
  EXPECT_EQ(guess_scheme(Tags{"NOUN", "VERB"}), TagScheme::none);
  EXPECT_EQ(guess_scheme(Tags{"O", "B-x", "other"}), TagScheme::none);
}

TEST(Transitions, NamesOfSchemes) {
  for (const TagScheme scheme : {TagScheme::none, TagScheme::iob2, TagScheme::iobes}) {
    EXPECT_EQ(parse_scheme(scheme_name(scheme)), scheme);
  }
  EXPECT_THROW(parse_scheme("iob"), UsageError);
}

}  // namespace
}  // namespace megadapt
