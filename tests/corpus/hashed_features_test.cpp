#include <fmt/format.h>
#include <gmock/gmock.h>

#include <set>

#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

std::vector<std::string> hashed(std::vector<std::string> names, int bits) {
  std::vector<NamedFeature> features;
  for (const std::string& name : names) features.push_back({name, 2.5f});
  FeatureHasher hasher(bits);
  hasher.rename(features);
  std::vector<std::string> result;
  for (const NamedFeature& feature : features) {
    EXPECT_EQ(feature.value, 2.5f);
    result.emplace_back(feature.name);
  }
  return result;
}

TEST(HashedFeatures, NamesAreNumbersBelowThePowerOfTwo) {
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) names.push_back(fmt::format("word{}", i));
  std::set<std::string> seen;
  for (const std::string& name : hashed(names, 4)) {
    ASSERT_TRUE(name.starts_with('#'));
    EXPECT_LT(std::stoi(name.substr(1)), 16);
    seen.insert(name);
  }
  EXPECT_EQ(seen.size(), 16u);
  EXPECT_EQ(hashed({"a", "b", "a"}, 31)[0], hashed({"c", "a"}, 31)[1]);
}

TEST(HashedFeatures, ZeroBitsKeepNames) {
  EXPECT_THAT(hashed({"a", "b"}, 0), testing::ElementsAre("a", "b"));
}

}  // namespace
}  // namespace megadapt::corpus
