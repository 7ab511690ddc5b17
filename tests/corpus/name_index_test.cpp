#include <fmt/format.h>
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include <map>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

TEST(NameIndex, NumbersNamesInOrderOfFirstAppearance) {
  NameIndex index;
  EXPECT_EQ(index.add("b"), 0u);
  EXPECT_EQ(index.add("a"), 1u);
  EXPECT_EQ(index.add("b"), 0u);
  EXPECT_EQ(index.add(""), 2u);
  EXPECT_EQ(index.find("a"), 1u);
  EXPECT_EQ(index.find(""), 2u);
  EXPECT_EQ(index.find("c"), kNone);
  EXPECT_THAT(index.names(), testing::ElementsAre("b", "a", ""));
}

TEST(NameIndex, KeepsNamesApartAsItGrows) {
  NameIndex index;
  for (std::uint32_t i = 0; i < 20000; ++i) ASSERT_EQ(index.add(fmt::format("f{}", i)), i);
  for (std::uint32_t i = 0; i < 20000; ++i) {
    ASSERT_EQ(index.find(fmt::format("f{}", i)), i);
    ASSERT_EQ(index.name(i), fmt::format("f{}", i));
  }
  EXPECT_EQ(index.find("f20000"), kNone);
}

TEST(NameIndex, AgreesWithAMapOnAnyBytes) {
  rc::check([](const std::vector<std::string>& names) {
    NameIndex index;
    std::map<std::string, std::uint32_t> expected;
    for (const std::string& name : names) {
      const auto id = static_cast<std::uint32_t>(expected.size());
      const auto [at, is_new] = expected.emplace(name, id);
      RC_ASSERT(index.add(name) == at->second);
    }
    for (const auto& [name, id] : expected) {
      RC_ASSERT(index.find(name) == id);
      RC_ASSERT(index.name(id) == name);
    }
  });
}

TEST(NameIndexView, SurvivesAnUnusableTable) {
  EXPECT_EQ(NameIndexView{}.find("a"), kNone);
  const std::vector<std::uint64_t> full(4, 0x1234567800000009);  // no empty slot, bad ids
  const NameIndexView view{full, {}, {}};
  EXPECT_EQ(view.find("a"), kNone);
  EXPECT_EQ(view.name(7), "");
}

}  // namespace
}  // namespace megadapt
