#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const SentenceOptions kRecap{.format = SentenceFormat::text, .recase = true};

TEST(TextSentences, RecapLowersTokensAndReadsTagsOffTheirCase) {
  const auto all = sentences_of("NASA 's  iPhone ÉTAIT À Paris , 3 Ünal .\n\nI\n", kRecap);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("nasa", "'s", "iphone", "était", "à",
                                                  "paris", ",", "3", "ünal", "."));
  EXPECT_THAT(strings(all[0].tags),
              ElementsAre("AllUpper", "Lowercase", "Mixed", "AllUpper", "Capitalized",
                          "Capitalized", "Punct", "Lowercase", "Capitalized", "Punct"));
  EXPECT_THAT(strings(all[1].tags), ElementsAre("Capitalized"));
  EXPECT_EQ(all[0].forms[2], "iPhone");
}

TEST(TextSentences, ReplacedTokensKeepTheirSpaces) {
  const auto all = sentences_of(" he  said\tso \r\nok\n", kRecap);
  std::string out;
  append_replaced(all[0], {"He", "said", "SO"}, out);
  append_replaced(all[1], {"Ok"}, out);
  EXPECT_EQ(out, " He  said\tSO \r\nOk\n");
}

TEST(TextSentences, TagsFollowTheirWords) {
  const auto all = sentences_of("he said\n", {.labelled = false});
  std::string out;
  append_tagged(all[0], SentenceFormat::text, {"PRON", "VERB"}, out);
  EXPECT_EQ(out, "he_PRON said_VERB\n");
}

TEST(TextSentences, Documents) {
  const auto all = sentences_of("# doc = a\n\nOne .\n# 2 is no document\n", kRecap);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].document, "a");
  EXPECT_THAT(strings(all[1].tokens), ElementsAre("#", "2", "is", "no", "document"));
}

TEST(TextSentences, HaveNoTagsToLearnFrom) {
  EXPECT_THAT(problem_of("just text\n"), HasSubstr("plain text has no tags"));
}

}  // namespace
}  // namespace megadapt
