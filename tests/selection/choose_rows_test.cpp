#include <gmock/gmock.h>

#include <set>

#include "base/random.hpp"
#include "megadapt/selection.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;

FeatureSets sets_of(const std::vector<std::vector<std::string>>& rows) {
  FeatureSets sets;
  for (const auto& row : rows) {
    std::vector<std::uint32_t> hashes;
    for (const std::string& name : row) hashes.push_back(FeatureSets::hash(name));
    sets.add(std::move(hashes));
  }
  return sets;
}

std::vector<std::size_t> rows_of(const std::vector<Choice>& choices) {
  std::vector<std::size_t> rows;
  for (const Choice& choice : choices) rows.push_back(choice.row);
  return rows;
}

std::vector<std::string> words(Random& random, std::size_t count) {
  std::vector<std::string> row;
  for (std::size_t i = 0; i < count; ++i) {
    row.push_back("w" + std::to_string(random.below(200)));
  }
  return row;
}

TEST(ChooseRows, TakesTheBestOfUnlikeRows) {
  const std::vector<double> score{1, 3, 2};
  const FeatureSets sets = sets_of({{"a"}, {"b"}, {"c"}});
  EXPECT_THAT(rows_of(choose_rows(score, sets, 2)), ElementsAre(1, 2));
  EXPECT_THAT(rows_of(choose_rows(score, sets, 9)), ElementsAre(1, 2, 0))
      << "a budget larger than the rows takes them all";
}

TEST(ChooseRows, TakesOneOfEqualRowsAndCountsTheOthers) {
  const std::vector<double> score{3, 3, 1, 3};
  const FeatureSets sets = sets_of({{"a", "b"}, {"b", "a", "a"}, {"c"}, {"a", "b"}});
  const auto chosen = choose_rows(score, sets, 9);
  EXPECT_THAT(rows_of(chosen), ElementsAre(0, 2));
  EXPECT_EQ(chosen[0].like, 2u);
  EXPECT_EQ(chosen[1].like, 0u);
}

TEST(ChooseRows, TakesOneOfNearlyEqualRows) {
  std::vector<std::string> a, b;
  for (int i = 0; i < 40; ++i) a.push_back("w" + std::to_string(i));
  b = a;
  b.back() = "other";
  const FeatureSets sets = sets_of({a, b, {"x", "y"}});
  const std::vector<double> score{1, 2, 0.1};
  const auto chosen = choose_rows(score, sets, 3);
  EXPECT_THAT(rows_of(chosen), ElementsAre(1, 2));
  EXPECT_EQ(chosen[0].like, 1u);
}

TEST(ChooseRows, PrefersARowUnlikeTheChosenOnes) {
  const FeatureSets sets = sets_of({{"a", "b", "c"}, {"a", "b", "d"}, {"x", "y", "z"}});
  const std::vector<double> score{1, 0.9, 0.8};
  EXPECT_THAT(rows_of(choose_rows(score, sets, 3)), ElementsAre(0, 2, 1));
}

TEST(ChooseRows, StopsWhenTheBudgetIsSpent) {
  const FeatureSets sets = sets_of({{"a"}, {"b"}, {"c"}});
  const std::vector<double> score{3, 2, 1};
  const std::vector<std::size_t> cost{4, 3, 9};
  EXPECT_THAT(rows_of(choose_rows(score, sets, 5, cost)), ElementsAre(0, 1));
}

TEST(ChooseRows, ValuesTellRowsApart) {
  FeatureSets sets;
  sets.add({FeatureSets::hash("price", 1.5F)});
  sets.add({FeatureSets::hash("price", 2.5F)});
  sets.add({FeatureSets::hash("price", 1.5F)});
  EXPECT_EQ(choose_rows(std::vector<double>{1, 1, 1}, sets, 3).size(), 2u);
}

// Ties are broken by what rows contain.
TEST(ChooseRowsLaw, TheOrderOfRowsDoesNotMatter) {
  Random random(7);
  for (int trial = 0; trial < 4; ++trial) {
    std::vector<std::vector<std::string>> rows;
    std::vector<double> score;
    for (int n = 0; n < 120; ++n) {
      rows.push_back(n > 0 && n % 5 == 0 ? rows[n / 5] : words(random, 6));
      score.push_back(n > 0 && n % 5 == 0 ? score[n / 5] : random.below(4));
    }
    std::vector<std::size_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i) {
      std::swap(order[i - 1], order[random.below(i)]);
    }
    std::vector<std::vector<std::string>> shuffled;
    std::vector<double> shuffled_score;
    for (const std::size_t n : order) {
      shuffled.push_back(rows[n]);
      shuffled_score.push_back(score[n]);
    }
    const auto as_set = [](const auto& all, const std::vector<Choice>& choices) {
      std::multiset<std::set<std::string>> found;
      for (const Choice& choice : choices) {
        found.emplace(all[choice.row].begin(), all[choice.row].end());
      }
      return found;
    };
    EXPECT_EQ(as_set(rows, choose_rows(score, sets_of(rows), 30)),
              as_set(shuffled, choose_rows(shuffled_score, sets_of(shuffled), 30)));
  }
}

// Greedy by its definition: every step looks at all rows and all chosen ones.
TEST(ChooseRowsLaw, AgreesWithALiteralGreedySearch) {
  Random random(11);
  std::vector<std::vector<std::string>> rows;
  std::vector<double> score;
  for (int n = 0; n < 40; ++n) {
    rows.push_back(words(random, 8));
    score.push_back(random.uniform());
  }
  std::map<std::string, double> count;
  std::vector<std::set<std::string>> distinct;
  for (const auto& row : rows) {
    distinct.emplace_back(row.begin(), row.end());
    for (const std::string& word : distinct.back()) ++count[word];
  }
  const auto dot = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (const std::string& word : distinct[a]) {
      const double weight = std::log1p(40 / count[word]);
      if (distinct[b].contains(word)) sum += weight * weight;
    }
    return sum;
  };
  std::vector<std::size_t> expected;
  while (expected.size() < 15) {
    double best = -1;
    std::size_t taken = 0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (std::ranges::find(expected, n) != expected.end()) continue;
      double largest = 0;
      for (const std::size_t e : expected) {
        largest = std::max(largest, dot(n, e) / std::sqrt(dot(n, n) * dot(e, e)));
      }
      if (largest > 0.9 || score[n] * (1 - largest) <= best) continue;
      best = score[n] * (1 - largest);
      taken = n;
    }
    expected.push_back(taken);
  }
  EXPECT_EQ(rows_of(choose_rows(score, sets_of(rows), 15)), expected);
}

}  // namespace
}  // namespace megadapt
