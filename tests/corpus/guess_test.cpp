#include "corpus/read_all.hpp"

namespace megadapt::corpus {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Format guess(const std::string& text, bool labelled = true) {
  return reader_of(text, {.labelled = labelled})->format();
}

std::string refusal(const std::string& text, bool labelled = true) {
  return error_of(text, {.labelled = labelled});
}

TEST(Guess, Megam) {
  EXPECT_EQ(guess("a f g\n"), Format::megam);
  EXPECT_EQ(guess("positive\tgood fine\nnegative\tbad\n"), Format::megam);
  EXPECT_EQ(guess("a"), Format::megam);
  EXPECT_EQ(guess("1 2 3\n"), Format::megam);
  EXPECT_EQ(guess("1 w:2 3:4\n"), Format::megam);
  EXPECT_EQ(guess("1 3:4\n1 http://x\n"), Format::megam);
  EXPECT_EQ(guess("label\tword\n"), Format::megam);
  EXPECT_EQ(guess("f g\n", false), Format::megam);
}

TEST(Guess, Libsvm) {
  EXPECT_EQ(guess("+1 1:0.5 3:2\n-1 2:1\n"), Format::libsvm);
  EXPECT_EQ(guess("# made by hand\n3 qid:1 1:1 # x\n3\n"), Format::libsvm);
  EXPECT_EQ(guess("1:1 2:1\n", false), Format::libsvm);
  EXPECT_THAT(refusal("1:1 2:1\n3:1\n"), HasSubstr("no label"));
}

TEST(Guess, Jsonl) {
  EXPECT_EQ(guess("\n{\"label\":\"a\",\"features\":[]}\n"), Format::jsonl);
}

TEST(Guess, Tables) {
  EXPECT_EQ(guess("label,text\na,b\n"), Format::csv);
  EXPECT_EQ(guess("\"id\",\"Text\",\"Label\"\n1,b,a\n"), Format::csv);
  EXPECT_EQ(guess("text\tlabel\nb\ta\n"), Format::tsv);
  EXPECT_EQ(guess("id\ttext\tlabel\n1\tb\ta\n"), Format::tsv);
  EXPECT_EQ(guess("text\nb\n", false), Format::csv);
  EXPECT_THAT(refusal("id\ttext\tstars\n1\tb\ta\n"),
              HasSubstr("no column is called 'label'"));
  EXPECT_THAT(refusal("label,review\na,b\n"), HasSubstr("no column is called 'text'"));
  EXPECT_THAT(refusal("label;text\na;b\n"), HasSubstr("separated by ';'"));
}

TEST(Guess, AGivenFormatOverridesTheGuess) {
  EXPECT_EQ(reader_of("label,text\n", {.format = Format::megam})->format(), Format::megam);
  EXPECT_EQ(read_all("1 2:3\n", Format::megam).at(0).names(),
            std::vector<std::string>{"2:3"});
}

// The sample ends inside a line; that incomplete line must be ignored.
TEST(Guess, LongFilesAreJudgedByTheirWholeFirstLines) {
  std::string text;
  while (text.size() < (1 << 16) - 3) text += "1 7:1\n";
  EXPECT_EQ(guess(text + "1 77777:1\n"), Format::libsvm);
  EXPECT_EQ(guess("1 " + std::string(100'000, 'x') + ":1\n"), Format::megam);
}

TEST(Guess, ConllColumnsAreRefused) {
  EXPECT_THAT(refusal("# doc = 1\n\nthe\tDT\ncat\tNN\n\nit\tPRP\nsat\tVBD\n"),
              AllOf(HasSubstr("CoNLL"), HasSubstr("--format")));
  EXPECT_EQ(guess("a\tf\nb\tg\na\tf\nb\th\n"), Format::megam);
  EXPECT_EQ(guess("a\tf g\n\nb\tg h\n\na\tf i\n\nb\th j\n"), Format::megam);
}

TEST(Guess, PairsOfNamesAndNumbersMustBeNamed) {
  const std::string pairs = "a f 1.5 g 2\nb f 3 h 0.1\n";
  EXPECT_THAT(refusal(pairs), HasSubstr("megam-fvals"));
  EXPECT_THAT(refusal("f 1.5 g 2\nf 3 h 0.1\n", false), HasSubstr("megam-fvals"));
  EXPECT_EQ(read_all(pairs, Format::megam).at(0).features.size(), 4U);
  EXPECT_EQ(read_all(pairs, Format::megam_fvals).at(0).features.size(), 2U);
  EXPECT_EQ(guess("a f 1.5\n"), Format::megam);  // one row is too little evidence
}

TEST(Guess, OtherKindsOfFilesAreRecognised) {
  EXPECT_THAT(refusal("MEGADAPT\1\0\0\0rest\n"s), StartsWith("data: is a megadapt model"));
  EXPECT_EQ(guess("MEGADAPT f g\n"), Format::megam);
  EXPECT_THAT(refusal("\xfd"
                      "7zXZ\0..."s),
              HasSubstr("xz"));
  EXPECT_THAT(refusal("BZh91AY&SY..."), HasSubstr("bzip2"));
  EXPECT_THAT(refusal("PK\x03\x04..."), HasSubstr("zip"));
  EXPECT_THAT(refusal("%PDF-1.7\n"), HasSubstr("PDF"));
  EXPECT_THAT(refusal("\xff\xfe"
                      "a\0b\0"s),
              HasSubstr("UTF-16"));
  EXPECT_THAT(refusal("[{\"label\":\"a\"}]"), HasSubstr("jq"));
  EXPECT_THAT(refusal("\x89PNG\r\n\x1a\n"), HasSubstr("not valid UTF-8"));
  EXPECT_THAT(error_of("MEGADAPT\1\0\0\0"s, Format::csv), HasSubstr("megadapt model"));
}

}  // namespace
}  // namespace megadapt::corpus
