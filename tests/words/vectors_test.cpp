#include "words/vectors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/random.hpp"
#include "corpus/temp_file.hpp"

namespace megadapt::words {
namespace {

using corpus::TempFile;

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;

VectorTable read(std::string_view text) {
  return read_vectors(corpus::open_bytes(text), "v");
}

std::string binary(const std::vector<std::pair<std::string, std::vector<float>>>& rows,
                   const std::string& header, const std::string& end = "\n") {
  std::string bytes = header + "\n";
  for (const auto& [word, values] : rows) {
    bytes += word + " ";
    bytes.append(reinterpret_cast<const char*>(values.data()),
                 values.size() * sizeof(float));
    bytes += end;
  }
  return bytes;
}

void expect_two(const VectorTable& table) {
  EXPECT_THAT(table.words.names(), ElementsAre("a", "new york"));
  EXPECT_EQ(table.dimension, 2u);
  EXPECT_THAT(table.values, ElementsAre(FloatNear(0.6f, 1e-6f), FloatNear(0.8f, 1e-6f),
                                        FloatNear(-1, 1e-6f), FloatNear(0, 1e-6f)));
}

TEST(Vectors, TextWithAndWithoutHeader) {
  expect_two(read("a 3 4\nnew york -2 0\n"));
  expect_two(read("2 2\na 3 4\nnew york -2 0e0 \r\n"));
}

TEST(Vectors, BinaryOfWord2vec) {
  EXPECT_THAT(read(binary({{"a", {3, 4}}, {"b", {-2, 0}}}, "2 2")).words.names(),
              ElementsAre("a", "b"));
  EXPECT_THAT(read(binary({{"a", {3, 4}}, {"b", {-2, 0}}}, "2 2", "")).words.names(),
              ElementsAre("a", "b"));
}

TEST(Vectors, TheSmallestAndLargestNumbersGetLengthOne) {
  constexpr float kSmallest = std::numeric_limits<float>::denorm_min();
  constexpr float kLargest = std::numeric_limits<float>::max();
  const VectorTable table =
      read(binary({{"a", {kSmallest, 0}}, {"b", {kLargest, -kLargest}}}, "2 2"));
  const float half = std::sqrt(0.5f);
  EXPECT_THAT(table.values, ElementsAre(FloatNear(1, 1e-6f), 0, FloatNear(half, 1e-6f),
                                        FloatNear(-half, 1e-6f)));
}

TEST(Vectors, ZerosAndRepetitionsAreLeftOut) {
  EXPECT_THAT(read("a 1 2\nb 0 0\na 3 4\nc 1 1\n").words.names(), ElementsAre("a", "c"));
  EXPECT_THAT(read(binary({{"\xff", {1, 2}}, {"b", {1, 1}}}, "2 2")).words.names(),
              ElementsAre("b"));
  EXPECT_THAT(read(binary({{"a\x01", {1, 2}}, {"b", {1, 1}}}, "2 2")).words.names(),
              ElementsAre("b"));
}

std::string vector_problem(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Vectors, DamageIsNamedWithItsPlace) {
  EXPECT_THAT(vector_problem(""), HasSubstr("is empty"));
  EXPECT_THAT(vector_problem("a 1 2\nb 1\n"), HasSubstr("1 of 2 numbers after the word"));
  EXPECT_THAT(vector_problem("a 1 2\nb 1 x\n"),
              HasSubstr("'x' where number 2 of 2 was expected"));
  EXPECT_THAT(vector_problem("a 1 2\nb 1 nan\n"), HasSubstr("'nan'"));
  EXPECT_THAT(vector_problem("a 1 2\nb 1 x\n"), HasSubstr("v:2"));
  EXPECT_THAT(vector_problem("a 1 2\nb 1 2 3\n"),
              HasSubstr("v:2: more than 2 numbers after the word"));
  EXPECT_THAT(vector_problem("word\tclass64\nthe\tA1\n"),
              HasSubstr("is a table of classes, not of vectors"));
  EXPECT_THAT(vector_problem("a 1\n"), HasSubstr("vectors of 1 numbers"));
  EXPECT_THAT(vector_problem("just\n"), HasSubstr("vectors of 0 numbers"));
  EXPECT_THAT(vector_problem("\xba\x16\x4f\x2f..."), HasSubstr("model of fastText"));
  const std::string whole = binary({{"a", {3, 4}}, {"b", {-2, 0}}}, "2 2");
  EXPECT_THAT(vector_problem(whole.substr(0, whole.size() - 3)),
              HasSubstr("ends within word 2 of 2 (vectors of 2 numbers)"));
  EXPECT_THAT(vector_problem(binary({{"a", {3, NAN}}}, "1 2")), HasSubstr("not finite"));
  EXPECT_THAT(vector_problem(binary({{"a", {3, 4}}}, "1 99999")), HasSubstr("99999"));
  const std::vector<float> three{1.5f, 2.25f, 3.125f};
  EXPECT_THAT(
      vector_problem(
          binary({{"a", three}, {"b", three}, {"c", three}, {"d", three}}, "4 2")),
      HasSubstr("3 of the first 4 words are not text; are these vectors of 2 numbers"));
}

TEST(Vectors, ATextThatEndsTooEarlyIsRefused) {
  EXPECT_THAT(vector_problem("100 2\na 1 2\nb 3 4\n"),
              HasSubstr("ends after 2 of the 100 words that the first line announces"));
  EXPECT_EQ(vector_problem("3 2\na 1 2\nb 0 0\na 3 4\n"), "");  // read, though left out
}

TEST(Vectors, NearestWordsByCosine) {
  const VectorTable table = read("monday 1 0\nfriday 9 1\nred 0 1\nblue -1 0\n");
  const auto near = nearest_words(table, "Monday", 2);
  ASSERT_EQ(near.size(), 2u);
  EXPECT_EQ(near[0].first, "friday");
  EXPECT_NEAR(near[0].second, 9 / std::sqrt(82), 1e-6);
  EXPECT_EQ(near[1].first, "red");
  EXPECT_THROW(nearest_words(table, "sunday", 2), UsageError);
}

/// Vectors around `centres` directions of the plane.
std::string planted_vectors(int centres, int words) {
  Random random(5);
  std::string text;
  for (int w = 0; w < words; ++w) {
    const double angle = 6.28318 * (w % centres) / centres + 0.1 * random.uniform();
    const double length = 0.5 + random.uniform();
    text += fmt::format("w{}-{} {} {}\n", w % centres, w, length * std::cos(angle),
                        length * std::sin(angle));
  }
  return text;
}

TEST(KMeans, FindsPlantedDirections) {
  const VectorTable table = read(planted_vectors(3, 90));
  const auto columns = cluster_vectors(table, {3}, Execution(1));
  for (std::size_t w = 0; w < columns[0].size(); ++w) EXPECT_EQ(columns[0][w], w % 3);
}

TEST(KMeans, ThreadsDoNotMatterAndEveryClassHasWords) {
  const VectorTable table = read(planted_vectors(5, 1500));
  const auto one = cluster_vectors(table, {4, 20}, Execution(1));
  EXPECT_EQ(one, cluster_vectors(table, {4, 20}, Execution(3)));
  EXPECT_EQ(std::set<std::uint32_t>(one[0].begin(), one[0].end()).size(), 4u);
  EXPECT_EQ(std::set<std::uint32_t>(one[1].begin(), one[1].end()).size(), 20u);
  EXPECT_THROW(cluster_vectors(table, {4, 1501}, Execution(1)), UsageError);
}

TEST(KMeans, EveryClassLiesWithinOneOfTheSizeBefore) {
  const VectorTable table = read(planted_vectors(5, 1500));
  const auto columns = cluster_vectors(table, {3, 7, 40}, Execution(1));
  ASSERT_EQ(columns.size(), 3u);
  for (std::size_t level = 1; level < columns.size(); ++level) {
    std::map<std::uint32_t, std::uint32_t> parent;
    for (std::size_t w = 0; w < columns[0].size(); ++w) {
      const auto at = parent.try_emplace(columns[level][w], columns[level - 1][w]).first;
      EXPECT_EQ(at->second, columns[level - 1][w]);
    }
  }
}

TEST(KMeans, AsManyClassesAsWordsGiveEachWordItsOwn) {
  const VectorTable table = read("a 1 0\nb 0 1\nc -1 0\nd 0 -1\ne 1 1\n");
  const auto columns = cluster_vectors(table, {2, 5}, Execution(1));
  EXPECT_THAT(columns[1], ElementsAre(0, 1, 2, 3, 4));
}

TEST(KMeans, TheLowerCasedFormStandsForAWord) {
  const TempFile file("monday 1 0\nMonday 1 0.01\nMay 0 1\nmay -1 0\n");
  const WordClasses classes = classes_of_vectors(file.path(), {3}, Execution(1));
  EXPECT_THAT(classes.columns(), ElementsAre("class3"));
  EXPECT_EQ(classes.num_words(), 3u);  // without Monday
  EXPECT_EQ(classes.find("Monday")[0], classes.find("monday")[0]);
  EXPECT_NE(classes.find("May")[0], classes.find("may")[0]);
}

}  // namespace
}  // namespace megadapt::words
