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

// A header with other names must not become a row: the error lists the columns and the
// options to type.
TEST(Guess, TablesWithOtherHeadersAreRefusedWithTheOptionsToType) {
  EXPECT_THAT(
      refusal("review,sentiment\n\"Great film, really\",pos\nAwful,neg\n"),
      AllOf(StartsWith("data:1: no column is called 'label' or 'text'; found: review, "
                       "sentiment\n  1 | review,sentiment\n"),
            HasSubstr("fix: add --text-column review --label-column sentiment")));
  // Commas that are not quoted, one row, no row.
  EXPECT_THAT(refusal("review,sentiment\nGreat film, really,pos\nAwful,neg\n"),
              HasSubstr("no column is called"));
  EXPECT_THAT(refusal("sentiment,review\npos,Great film\n"),
              HasSubstr("--text-column review --label-column sentiment"));
  EXPECT_THAT(refusal("review,sentiment\n"), HasSubstr("no column is called"));
  // Column names of several words, a column that is not needed, a name that a shell must
  // have quoted.
  EXPECT_THAT(refusal("No,Review Text,Star Rating\n1,Great film,5\n2,Awful,1\n3,Good,5\n"),
              HasSubstr("add --text-column 'Review Text' --label-column 'Star Rating'"));
  EXPECT_THAT(refusal("text,stars\nGreat film,5\n"), HasSubstr("add --label-column stars"));
  EXPECT_THAT(refusal("label,review\npos,Great film\n"),
              HasSubstr("add --text-column review"));
  EXPECT_THAT(refusal("review,stars\nGreat film,5\n", false),
              AllOf(HasSubstr("no column is called 'text'"),
                    HasSubstr("add --text-column review")));
  EXPECT_THAT(refusal("review;sentiment\nGreat;pos\n"), HasSubstr("separated by ';'"));
}

TEST(Guess, TablesWithTabsAndOtherHeadersAreRefused) {
  EXPECT_THAT(refusal("review\tsentiment\nGreat film\tpos\nAwful film\tneg\n"),
              HasSubstr("add --text-column review --label-column sentiment"));
  std::string rows = "sentiment\treview\n";
  for (int i = 0; i < 4; ++i) rows += "pos\tgreat film\nneg\tan awful film\n";
  EXPECT_THAT(refusal(rows),
              HasSubstr("add --text-column review --label-column sentiment"));
  EXPECT_THAT(refusal("id\treview\tstars\n1\tGreat film\t5\n2\tAwful film\t1\n"),
              HasSubstr("found: id, review, stars"));
}

TEST(Guess, ATableWithoutAHeaderIsToldHowToGetOne) {
  EXPECT_THAT(refusal("pos,\"Great film, really\"\nneg,Awful\npos,Good\n"),
              HasSubstr("begin the table with a line that names its columns"));
}

// A header never becomes a row, even if there is only one column, or no comma at all.
TEST(Guess, AFileThatIsCalledCsvHasAHeader) {
  const auto refused = [](const std::string& name, const std::string& text,
                          const ReadOptions& options) -> std::string {
    try {
      drain(*open_rows(std::make_unique<MemorySource>(text), name, options));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const ReadOptions labelled, unlabelled{.labelled = false, .expects_text = true};
  for (const std::string name : {"data.csv", "DATA.CSV", "data.csv.gz", "data.csv.zst"}) {
    EXPECT_THAT(refused(name, "text\nGreat film\nAwful\n", labelled),
                HasSubstr("no column is called 'label'; found: text"));
    EXPECT_THAT(refused(name, "label\npos\nneg\n", labelled),
                HasSubstr("no column is called 'text'; found: label"));
    EXPECT_THAT(refused(name, "label\npos\nneg\n", unlabelled),
                HasSubstr("no column is called 'text'; found: label"));
    EXPECT_THAT(refused(name, "Great film\nAwful\n", unlabelled),
                HasSubstr("if this line is no header, name the --format, such as text"));
    EXPECT_THAT(refused(name, "review;stars\nGreat;5\n", unlabelled),
                HasSubstr("separated by ';'"));
  }
  EXPECT_EQ(refused("data.txt", "Great film\nAwful\n", unlabelled), "");
  EXPECT_EQ(refused("data.csv", "1 2:3\n2 4:5\n", labelled), "") << "libsvm";
}

TEST(Guess, AHeaderWithSemicolonsIsNoText) {
  const ReadOptions text{.labelled = false, .expects_text = true};
  EXPECT_THAT(error_of("label;text\npos;Great film\n", text),
              HasSubstr("separated by ';'"));
  EXPECT_EQ(reader_of("great;awful\nand so on\n", text)->format(), Format::text);
}

TEST(Guess, ALineForSpreadsheetsIsNoHeader) {
  for (const bool labelled : {true, false}) {
    EXPECT_THAT(
        error_of("sep=,\nlabel,text\na,b\n",
                 ReadOptions{.labelled = labelled, .expects_text = true}),
        AllOf(StartsWith("data:1: this line is not the header of the table\n  1 | sep=,\n"),
              HasSubstr("fix: delete it")));
  }
}

TEST(Guess, BlankLinesAloneAreNoRows) {
  EXPECT_THAT(error_of("\n\n\n", {.expects_text = true}), StartsWith("data: has no rows"));
  EXPECT_THAT(refusal("\n\n"), StartsWith("data: has no rows"));
  EXPECT_EQ(reader_of("\n\n", {.labelled = false, .expects_text = true})->format(),
            Format::text);
}

TEST(Guess, FeaturesWithCommasAreNoTable) {
  EXPECT_EQ(guess("pos\tgood,value\nneg\tbad,value\npos\tgood,x\n"), Format::megam);
  EXPECT_EQ(guess("pos good, fine\nneg bad\n"), Format::megam);
  EXPECT_EQ(guess("well, yes\n", false), Format::megam);
  EXPECT_EQ(guess("a\tf\tg\nb\tf\th\na\ti\tg\n"), Format::megam);
  EXPECT_EQ(guess("a\tf\nb\tg h\nc\ti j\n"), Format::megam);
}

TEST(Guess, ChosenColumnsMakeAHeader) {
  const ColumnNames chosen{.label = "sentiment", .text = {"review"}};
  EXPECT_EQ(reader_of("review\tsentiment\nb\ta\n", {.columns = chosen})->format(),
            Format::tsv);
  EXPECT_EQ(reader_of("review,sentiment\nb,a\n", {.columns = chosen})->format(),
            Format::csv);
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

TEST(Guess, TextWithoutLabelsIsRefused) {
  for (const char* text :
       {"The parcel came late.\nWe met in the town.\n",
        "We saw the old town.\nThe town was old!\nIn it we ate.\nSo did "
        "the others.\nIt was late then.\nOld trees were there.\nWe so ate "
        "in it.\nThe others ate there.\nIt was so then.\n"}) {
    EXPECT_THROW(guess(text), InputError) << text;
  }
  // Lines that begin with a label, and features.
  for (const char* text : {"good It was a great film.\nbad It was an awful one.\n",
                           "good\tIt was a great film.\nbad\tIt was an awful one.\n",
                           "Spam w=a w=b suf=c\nHam w=c w=d suf=e\n"}) {
    EXPECT_EQ(guess(text), Format::megam) << text;
  }
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
