#include "sentences/read_sentences.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const SentenceOptions kUntagged{.labelled = false};

TEST(Conll, TwoColumnsAreTokenAndTag) {
  const auto all = sentences_of("The\tDET\ndog\tNOUN\n\nIt\tPRON\n\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("The", "dog"));
  EXPECT_THAT(strings(all[0].tags), ElementsAre("DET", "NOUN"));
  EXPECT_THAT(strings(all[1].tokens), ElementsAre("It"));
  EXPECT_EQ(all[1].line, 4u);
  EXPECT_TRUE(all[0].columns.empty());
}

TEST(Conll, ThreeColumnsHaveAPartOfSpeechThatMayBeUnknown) {
  const auto all = sentences_of("The DT B\ndog _ I\n\nran VB O");
  ASSERT_EQ(all.size(), 2u);
  ASSERT_EQ(all[0].columns.size(), 1u);
  EXPECT_THAT(strings(all[0].columns[0]), ElementsAre("DT", ""));
  EXPECT_THAT(strings(all[1].tags), ElementsAre("O"));
}

TEST(Conll, ColumnsAreChosenByName) {
  SentenceOptions options;
  options.columns = ColumnChoice::parse("token=2,tag=last,chunk=3");
  const auto all = sentences_of("1 The B-NP DT O\n2 dog I-NP NN O\n\n", options);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("The", "dog"));
  EXPECT_THAT(strings(all[0].tags), ElementsAre("O", "O"));
  EXPECT_THAT(strings(all[0].columns[0]), ElementsAre("B-NP", "I-NP"));
}

TEST(Conll, ADocumentLineIsNoEmptySentence) {
  const auto all = sentences_of("# doc = one\n\na\tX\n\n\n\nb\tX\n\n# doc = two\n\nc\tX\n");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].document, "one");
  EXPECT_EQ(all[1].document, "one");
  EXPECT_EQ(all[2].document, "two");
}

TEST(Conll, CommentsAreKeptAndATokenMayBeAHash) {
  const auto all = sentences_of("# sent_id = s1\n# text = # 1\n#\tSYM\n1\tNUM\n\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("#", "1"));
  EXPECT_THAT(all[0].comments, ElementsAre(Pair("sent_id", "s1"), Pair("text", "# 1")));
  EXPECT_EQ(all[0].id, "s1");
}

TEST(Conll, DocumentMarksOf2003) {
  const auto all = sentences_of(
      "-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\n\n"
      "-DOCSTART- -X- O O\n\nUN NNP B-NP B-ORG\n\n");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].document, "document 1");
  EXPECT_EQ(all[1].document, "document 2");
  EXPECT_THAT(strings(all[0].columns[0]), ElementsAre("NNP"));
  EXPECT_THAT(strings(all[0].tags), ElementsAre("B-ORG"));
}

TEST(Conll, TagsMayBeMissingInUnlabelledFiles) {
  EXPECT_THAT(strings(sentences_of("a\nb\n\n",
                                   {.format = SentenceFormat::conll, .labelled = false})[0]
                          .tokens),
              ElementsAre("a", "b"));
  SentenceOptions trained = kUntagged;
  trained.columns = ColumnChoice::parse("token,pos,tag");
  const auto all = sentences_of("a\tDT\n\n", trained);
  EXPECT_THAT(strings(all[0].columns[0]), ElementsAre("DT"));
  EXPECT_TRUE(all[0].tags.empty());
  EXPECT_THAT(strings(sentences_of("a\tDT\tB\n\n", trained)[0].tags), ElementsAre("B"));
}

TEST(Conll, LastIsNoTagWhereTheTagsAreMissing) {
  SentenceOptions trained = kUntagged;
  trained.columns = ColumnChoice::parse("token,pos,tag=last");
  EXPECT_TRUE(sentences_of("a\tDT\n\n", trained)[0].tags.empty());
}

constexpr const char* kConllu =
    "# newdoc id = weblog\n"
    "# sent_id = 1\n"
    "1-2\tdámelo\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "1\tda\tdar\tVERB\tV\t_\t0\troot\t_\t_\n"
    "2\tmelo\tlo\tPRON\tP\t_\t1\tobj\t_\t_\n"
    "2.1\tya\tya\tADV\tA\t_\t_\t_\t_\t_\n"
    "\n";

TEST(Conllu, ReadsFormAndTagByNameAndPassesOverRanges) {
  const auto all = sentences_of(kConllu);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_THAT(strings(all[0].tokens), ElementsAre("da", "melo"));
  EXPECT_THAT(strings(all[0].tags), ElementsAre("VERB", "PRON"));
  EXPECT_EQ(all[0].document, "weblog");
  SentenceOptions options;
  options.columns = ColumnChoice::parse("token=LEMMA,tag=DEPREL,pos=XPOS");
  const auto chosen = sentences_of(kConllu, options);
  EXPECT_THAT(strings(chosen[0].tokens), ElementsAre("dar", "lo"));
  EXPECT_THAT(strings(chosen[0].tags), ElementsAre("root", "obj"));
  EXPECT_THAT(strings(chosen[0].columns[0]), ElementsAre("V", "P"));
}

TEST(Conll, FormatsAreToldApart) {
  const auto format = [](const char* text) { return reader_of(text, kUntagged)->format(); };
  EXPECT_EQ(format(kConllu), SentenceFormat::conllu);
  EXPECT_EQ(format("# doc = x\n\na\tB\n"), SentenceFormat::conll);
  EXPECT_EQ(format("a B\nc D\n\ne F\n"), SentenceFormat::conll);
  EXPECT_EQ(format("This is text .\nAnd more of it .\n"), SentenceFormat::text);
  EXPECT_EQ(format("{\"tokens\": [\"a\"]}\n"), SentenceFormat::jsonl);
  EXPECT_EQ(parse_sentence_format("conllu"), SentenceFormat::conllu);
  EXPECT_THROW(parse_sentence_format("conl"), UsageError);
}

TEST(Conll, AVeryLongSentence) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "word\tX\n";
  const auto all = sentences_of(text + "\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].size(), 100000u);
  EXPECT_EQ(all[0].tokens.back(), "word");
}

}  // namespace
}  // namespace megadapt
