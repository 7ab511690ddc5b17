#include "features/extracted.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<Gazetteer> kPlaces = {
    {"place", "New York\r\nnew york city\n\nYork\n  São   Paulo \n"},
    {"food", "york ham\n"}};

TEST(Gazetteers, TheLongestPhraseWinsWhateverTheCase) {
  const auto rows = extracted(
      "gaz", sentence_of({"in", "NEW", "York", "City", "york", "são", "PAULO", "new"}),
      kPlaces);
  EXPECT_THAT(rows[0], IsEmpty());
  EXPECT_THAT(rows[1], ElementsAre("gaz.place=B"));
  EXPECT_THAT(rows[2], ElementsAre("gaz.place=I"));
  EXPECT_THAT(rows[3], ElementsAre("gaz.place=I"));
  EXPECT_THAT(rows[4], ElementsAre("gaz.place=B"));
  EXPECT_THAT(rows[5], ElementsAre("gaz.place=B"));
  EXPECT_THAT(rows[6], ElementsAre("gaz.place=I"));
  EXPECT_THAT(rows[7], IsEmpty());
}

TEST(Gazetteers, EachHasItsOwnFeatures) {
  const auto rows =
      extracted("gaz gaz.food|lower[1]", sentence_of({"york", "ham"}), kPlaces);
  EXPECT_THAT(rows[0], ElementsAre("gaz.place=B", "gaz.food=B", "gaz.food|lower[1]=B|ham"));
  EXPECT_THAT(rows[1], ElementsAre("gaz.food=I", "gaz.food|lower[1]=I|</s>"));
}

TEST(Gazetteers, WithoutAnyTheTemplateGivesNothing) {
  EXPECT_THAT(extracted("w gaz gaz|w", sentence_of({"york"}))[0], ElementsAre("w=york"));
}

}  // namespace
}  // namespace megadapt
