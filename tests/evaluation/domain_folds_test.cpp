#include <gtest/gtest.h>

#include <map>
#include <set>

#include "evaluation/relatedness/domain_classifier.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;
using testing_support::all_rows;
using testing_support::random_data;

TEST(DomainFolds, SpreadEveryDomainEvenly) {
  const Dataset data = random_data({.rows = 300, .features = 30, .domains = 3}, 5);
  const auto fold = deal_domain_folds(data, all_rows(data), 5, 1);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
  for (std::size_t n = 0; n < fold.size(); ++n) ++count[{data.domain[n], fold[n]}];
  ASSERT_EQ(count.size(), 15u);
  for (const auto& [place, rows] : count) {
    EXPECT_GE(rows, 18);
    EXPECT_LE(rows, 22);
  }
}

TEST(DomainFolds, KeepTwinsAndGroupsTogether) {
  Dataset data;
  for (const char* name : {"f", "g", "h"}) data.own_schema().features.add(name);
  data.own_schema().domains.add("a");
  data.own_schema().domains.add("b");
  for (const char* name : {"p", "q", "r"}) data.own_groups().add(name);
  RowBuilder rows(data);
  for (std::uint32_t n = 0; n < 60; ++n) {
    rows.add(n % 2 ? n % 3 : (n + 1) % 3);
    rows.add(n % 2 ? (n + 1) % 3 : n % 3);
    rows.end({.label = 0, .domain = n % 2, .group = n < 6 ? n % 3 : kNone});
  }
  const auto fold = deal_domain_folds(data, all_rows(data), 4, 3);
  for (std::size_t n = 3; n < 6; ++n) EXPECT_EQ(fold[n], fold[n - 3]) << "a group";
  for (std::size_t n = 12; n < 60; ++n) EXPECT_EQ(fold[n], fold[n - 6]) << "twins";
  const std::set<std::uint32_t> used(fold.begin(), fold.end());
  EXPECT_GT(used.size(), 1u) << "twins do not tie groups together";
}

TEST(DomainFolds, KeepSentencesTogether) {
  Dataset data = random_data({.rows = 40, .features = 8, .domains = 1}, 2);
  data.sentence_begin = {0, 7, 9, 20, 33, 40};
  const auto fold = deal_domain_folds(data, all_rows(data), 3, 1);
  for (std::size_t s = 0; s + 1 < data.sentence_begin.size(); ++s) {
    for (std::size_t n = data.sentence_begin[s]; n < data.sentence_begin[s + 1]; ++n) {
      EXPECT_EQ(fold[n], fold[data.sentence_begin[s]]);
    }
  }
  EXPECT_EQ(std::set<std::uint32_t>(fold.begin(), fold.end()).size(), 3u);
}

}  // namespace
}  // namespace megadapt
