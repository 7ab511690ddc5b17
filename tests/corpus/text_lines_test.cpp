// Raw text, and the features of a document in every format.
#include "corpus/read_all.hpp"

namespace megadapt::corpus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TextLines, EveryLineIsADocument) {
  const auto rows = read_all("Great film!\n\n# not, a comment\n",
                             {.format = Format::text, .labelled = false});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[0].names(), ElementsAre("film", "great"));
  EXPECT_THAT(rows[1].names(), IsEmpty());
  EXPECT_THAT(rows[2].names(), ElementsAre("a", "comment", "not"));
}

TEST(TextLines, HaveNoLabels) {
  EXPECT_THAT(error_of("Great film!\n", Format::text), HasSubstr("have no labels"));
}

TEST(TextLines, AreGuessedOnlyForModelsOfText) {
  const auto guess = [](const std::string& text, bool labelled, bool expects_text) {
    return reader_of(text, {.labelled = labelled, .expects_text = expects_text})->format();
  };
  for (const std::string text : {"Great film\n", "Great,film\nbad,film\n", "1:2 3:4\n",
                                 "a 1\nb 2\nc 3\n", "one;two\n"}) {
    EXPECT_EQ(guess(text, false, true), Format::text) << text;
  }
  EXPECT_EQ(guess("pos\tgreat film\n", true, true), Format::megam);
  EXPECT_EQ(guess("great film\n", false, false), Format::megam);
  EXPECT_EQ(guess("id,text\n1,great film\n", false, true), Format::csv);
  EXPECT_EQ(guess("{\"text\":\"great film\"}\n", false, true), Format::jsonl);
}

// The label in the other column must not become a word of the text.
TEST(TextLines, ATableOfOtherColumnsIsRefused) {
  for (const char* text : {"review,sentiment\na great film,pos\na dull film,neg\n",
                           "review\tsentiment\na great film\tpos\na dull film\tneg\n"}) {
    try {
      reader_of(text, {.labelled = false, .expects_text = true});
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("add --text-column review"));
    }
  }
  EXPECT_THROW(reader_of("text\na great film\n", {.expects_text = true}), InputError);
}

TEST(TextLines, ADocumentHasTheSameFeaturesInEveryFormat) {
  for (const TextOptions& text :
       {TextOptions{}, TextOptions{.word_ngrams = 2, .weights = TextWeights::counts},
        TextOptions{.char_ngrams = 3, .hash_bits = 6}}) {
    const auto read = [&](const std::string& bytes, Format format) {
      return read_all(bytes, {.format = format, .labelled = false, .text = text})[0]
          .features;
    };
    const auto raw = read("C++, the C++ \"book\" 😀\n", Format::text);
    EXPECT_EQ(read("text\n\"C++, the C++ \"\"book\"\" 😀\"\n", Format::csv), raw);
    EXPECT_EQ(read("text\nC++, the C++ \"book\" 😀\n", Format::tsv), raw);
    EXPECT_EQ(read(R"({"text":"C++, the C++ \"book\" 😀"})", Format::jsonl), raw);
  }
}

const ReadOptions kColumns{
    .columns = {.text = {"title", "body"}, .numbers = {"price"}, .categories = {"color"}},
    .needs_columns = true};

TEST(FeatureColumns, NumbersAndCategoriesComeBeforeTheText) {
  const OwnedRow::Features expected{
      {"price=(number)", 2.5F}, {"color=red", 1}, {"hat", 1}, {"warm", 1}};
  const auto csv =
      read_all("label,title,body,price,color\nx,Hat,warm,2.5, red \ny,a,b,,\n", kColumns);
  EXPECT_EQ(csv[0].features, expected);
  EXPECT_TRUE(csv[0].has_values);
  EXPECT_THAT(csv[1].names(), ElementsAre("a", "b")) << "empty columns give no feature";
  const auto json = read_all(
      R"({"label":"x","title":"Hat","body":"warm","price":2.5,"color":"red"})", kColumns);
  EXPECT_EQ(json[0].features, expected);
}

TEST(FeatureColumns, ABadNumberOrAMissingColumnIsAnError) {
  EXPECT_THAT(error_of("label,title,body,price,color\nx,a,b,cheap,red\n", kColumns),
              HasSubstr("'cheap' in the column 'price' is not a number"));
  EXPECT_THAT(error_of("label,title,body,color\nx,a,b,red\n", kColumns),
              HasSubstr("no column is called 'price'"));
  ReadOptions fallback = kColumns;
  fallback.needs_columns = false;
  EXPECT_THAT(error_of("label,text,color\nx,a,red\n", fallback),
              HasSubstr("no column is called 'price'"));
}

TEST(FeatureColumns, ATableNeedsNoTextBesideThem) {
  const auto rows = read_all("label,price\nx,2\n", {.columns = {.numbers = {"price"}}});
  EXPECT_THAT(rows[0].names(), ElementsAre("price=(number)"));
}

}  // namespace
}  // namespace megadapt::corpus
