#include "corpus/fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>

#include "corpus/lines.hpp"

namespace megadapt::corpus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> split(std::string text) {
  const std::size_t size = text.size();
  text.resize(size + LineReader::kPadding, ' ');  // the padding must have no effect
  FieldSplitter splitter;
  std::vector<NamedFeature> fields{{"left over", 7}};
  splitter.split(std::string_view(text).substr(0, size), fields);
  std::vector<std::string> found;
  for (const NamedFeature& field : fields) {
    EXPECT_EQ(field.value, 1);
    found.emplace_back(field.name);
  }
  return found;
}

TEST(Fields, Split) {
  EXPECT_THAT(split(""), IsEmpty());
  EXPECT_THAT(split(" \t "), IsEmpty());
  EXPECT_THAT(split("a"), ElementsAre("a"));
  EXPECT_THAT(split("\ta  bc\td "), ElementsAre("a", "bc", "d"));
}

// Compares with std::istringstream, which also splits at white space.
TEST(Fields, AgreeWithAStreamOnRandomText) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 300, ' ');
    for (char& c : text) c = "\t ab\xc3\xa9#:"[random() % 8];
    std::istringstream stream(text);
    std::vector<std::string> expected;
    for (std::string word; stream >> word;) expected.push_back(word);
    ASSERT_EQ(split(text), expected) << text;
  }
}

}  // namespace
}  // namespace megadapt::corpus
