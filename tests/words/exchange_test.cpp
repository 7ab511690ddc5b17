// Exchange clustering against a literal implementation, and on planted classes.

#include "words/exchange.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <set>

#include "base/random.hpp"
#include "corpus/temp_file.hpp"
#include "corpus/text/word_classes.hpp"
#include "words/class_tree.hpp"
#include "words/cluster.hpp"

namespace megadapt::words {
namespace {

using corpus::TempFile;

/// Returns the bigrams of made-up sentences. Every word belongs to a class, and the word
/// after one of class c is mostly of class c + 1.
BigramCounter planted_text(std::uint32_t classes, std::uint32_t words,
                           std::size_t sentences) {
  Random random(7);
  BigramCounter counter;
  for (std::size_t s = 0; s < sentences; ++s) {
    std::vector<std::string> tokens;
    std::uint32_t c = random.below(classes);
    for (int t = 0; t < 12; ++t) {
      tokens.push_back(fmt::format("{}-{}", c, random.below(words)));
      c = random.uniform() < 0.9 ? (c + 1) % classes : random.below(classes);
    }
    counter.add(std::vector<std::string_view>(tokens.begin(), tokens.end()));
  }
  return counter;
}

double phi(double x) { return x > 0 ? x * std::log(x) : 0; }

/// F of the definition, from the pairs of words.
double literal_objective(const Bigrams& text, const std::vector<std::uint32_t>& class_of) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> pairs;
  std::map<std::uint32_t, double> count;
  for (std::uint32_t s = 0; s < text.num_symbols(); ++s) {
    count[class_of[s]] += static_cast<double>(text.count[s]);
    for (const Neighbour& next : text.after_of(s)) {
      pairs[{class_of[s], class_of[next.word]}] += next.count;
    }
  }
  double sum = 0;
  for (const auto& [pair, n] : pairs) sum += phi(n);
  for (const auto& [c, n] : count) sum -= 2 * phi(n);
  return sum;
}

/// A round by the definition: F is computed anew for every word and class.
void literal_round(const Bigrams& text, std::uint32_t classes,
                   std::vector<std::uint32_t>& class_of) {
  const auto moved = [&](std::uint32_t word, std::uint32_t to) {
    std::vector<std::uint32_t> changed = class_of;
    changed[word] = to;
    return literal_objective(text, changed);
  };
  for (std::uint32_t first = 0; first < text.words.size(); first += Exchange::kBatch) {
    const auto end = std::min<std::uint32_t>(text.words.size(), first + Exchange::kBatch);
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t w = first; w < end; ++w) {
      const double now = literal_objective(text, class_of);
      std::uint32_t best = class_of[w];
      double most = Exchange::kLeastGain;
      for (std::uint32_t c = 0; c < classes; ++c) {
        if (c == class_of[w]) continue;
        const double gained = moved(w, c) - now;
        if (gained > most + (best == class_of[w] ? 0 : Exchange::kLeastGain)) {
          most = gained;
          best = c;
        }
      }
      chosen.push_back(best);
    }
    for (std::uint32_t w = first; w < end; ++w) {
      const std::uint32_t to = chosen[w - first];
      if (to == class_of[w]) continue;
      const double gained = moved(w, to) - literal_objective(text, class_of);
      if (gained > Exchange::kLeastGain) class_of[w] = to;
    }
  }
}

TEST(ExchangeLaws, EqualsTheLiteralAlgorithm) {
  const Bigrams text = planted_text(3, 15, 60).finish(1);
  Exchange exchange(text, 5, 3);
  std::vector<std::uint32_t> literal = exchange.class_of();
  const Execution exec(1);
  for (int round = 0; round < 3; ++round) {
    EXPECT_NEAR(exchange.objective(), literal_objective(text, exchange.class_of()), 1e-6);
    exchange.round(exec);
    literal_round(text, 5, literal);
    ASSERT_EQ(exchange.class_of(), literal) << "round " << round;
  }
}

TEST(ExchangeLaws, LikelihoodNeverFalls) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Bigrams text = planted_text(6, 30, 200).finish(2);
    Exchange exchange(text, 10, seed);
    double before = exchange.log_likelihood();
    EXPECT_LT(before, 0);
    for (int round = 0; round < 6; ++round) {
      const std::size_t moved = exchange.round(Execution(1));
      const double now = exchange.log_likelihood();
      EXPECT_GE(now, before);
      if (moved > 0) {
        EXPECT_GT(now, before);
      }
      before = now;
    }
  }
}

TEST(ExchangeLaws, ThreadsDoNotMatter) {
  const Bigrams text = planted_text(5, 40, 300).finish(1);
  Exchange one(text, 8, 1);
  Exchange three(text, 8, 1);
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(one.round(Execution(1)), three.round(Execution(3)));
  }
  EXPECT_EQ(one.class_of(), three.class_of());
}

TEST(Exchange, FindsPlantedClasses) {
  const Bigrams text = planted_text(4, 12, 800).finish(1);
  // Exchange finds a local optimum, so take the best of some starts.
  std::vector<std::uint32_t> best;
  double most = -1e300;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Exchange exchange(text, 4, seed);
    while (exchange.round(Execution(1)) > 0) {
    }
    if (exchange.objective() <= most) continue;
    most = exchange.objective();
    best = exchange.class_of();
  }
  std::map<std::string, std::set<std::uint32_t>> found;
  for (std::uint32_t w = 0; w < text.words.size(); ++w) {
    const std::string word(text.words.name(w));
    found[word.substr(0, word.find('-'))].insert(best[w]);
  }
  std::set<std::uint32_t> all;
  for (const auto& [planted, classes] : found) {
    EXPECT_EQ(classes.size(), 1u) << planted;
    all.insert(classes.begin(), classes.end());
  }
  EXPECT_EQ(all.size(), 4u);
}

TEST(ClassTree, EachMergeIsTheCheapest) {
  const Bigrams text = planted_text(3, 20, 100).finish(1);
  Exchange exchange(text, 7, 1);
  exchange.round(Execution(1));
  const ClassTree tree(exchange, Execution(1));
  std::vector<std::uint32_t> class_of = exchange.class_of();
  std::set<std::uint32_t> left{0, 1, 2, 3, 4, 5, 6};
  for (const auto& [into, from] : tree.merges()) {
    const auto joined = [&](std::uint32_t a, std::uint32_t b) {
      std::vector<std::uint32_t> changed = class_of;
      for (std::uint32_t& c : changed) c = c == b ? a : c;
      return literal_objective(text, changed);
    };
    const double chosen = joined(into, from);
    for (const std::uint32_t a : left) {
      for (const std::uint32_t b : left) {
        if (a < b) {
          EXPECT_LE(joined(a, b), chosen + 1e-6);
        }
      }
    }
    for (std::uint32_t& c : class_of) c = c == from ? into : c;
    left.erase(from);
  }
  EXPECT_EQ(left.size(), 1u);
}

TEST(ClassTree, CutsAreNested) {
  const Bigrams text = planted_text(3, 20, 100).finish(1);
  Exchange exchange(text, 9, 1);
  const ClassTree tree(exchange, Execution(1));
  const auto small = tree.cut(3);
  const auto large = tree.cut(6);
  EXPECT_EQ(std::set<std::uint32_t>(small.begin(), small.end()),
            (std::set<std::uint32_t>{0, 1, 2}));
  std::map<std::uint32_t, std::uint32_t> parent;
  for (std::size_t c = 0; c < large.size(); ++c) {
    EXPECT_EQ(parent.try_emplace(large[c], small[c]).first->second, small[c]);
  }
  EXPECT_EQ(parent.size(), 6u);
}

TEST(ClassTree, StopsAndReportsEveryStep) {
  const Bigrams text = planted_text(3, 20, 100).finish(1);
  const Exchange exchange(text, 9, 1);
  std::vector<double> shares;
  std::atomic<bool> stop = false;
  Execution exec(1);
  exec.set_stop_flag(&stop);
  const ClassTree tree(exchange, exec, [&](double share) { shares.push_back(share); });
  EXPECT_EQ(shares.size(), 9u + 8u);  // rows of the first table, then merges
  EXPECT_TRUE(std::ranges::is_sorted(shares));
  EXPECT_DOUBLE_EQ(shares.back(), 1);
  for (const std::size_t last : {1u, 12u}) {  // while the table is made, while merging
    stop = false;
    std::size_t steps = 0;
    const auto stop_at_last = [&](double) { stop = ++steps == last; };
    EXPECT_THROW(ClassTree(exchange, exec, stop_at_last), Interrupted);
    EXPECT_EQ(steps, last);
  }
}

TEST(Bigrams, CountsPairsWithinSentences) {
  BigramCounter counter;
  counter.add(std::vector<std::string_view>{"a", "b", "a"});
  counter.add(std::vector<std::string_view>{"a", "c"});
  const Bigrams text = counter.finish(2);
  ASSERT_EQ(text.words.size(), 1u);  // b and c are rare
  const std::uint32_t border = 1, rare = 2;
  EXPECT_EQ(text.count, (std::vector<std::uint64_t>{3, 2, 2}));
  EXPECT_THAT(text.after_of(0),
              testing::ElementsAre(Neighbour{border, 1}, Neighbour{rare, 2}));
  EXPECT_THAT(text.before_of(0),
              testing::ElementsAre(Neighbour{border, 2}, Neighbour{rare, 1}));
}

TEST(Cluster, WritesATableThatIsReadBack) {
  const TempFile text("the dog barks .\nthe cat sleeps .\na dog sleeps .\na cat barks .\n");
  const Clusters made =
      cluster_words({text.path()}, {.sizes = {2, 4}, .min_count = 1}, Execution(1));
  const TempFile table(made.table());
  const WordClasses classes = read_word_classes(table.path());
  EXPECT_THAT(classes.columns(), testing::ElementsAre("class2", "class4"));
  EXPECT_EQ(classes.num_words(), 7u);
  EXPECT_EQ(made.tokens, 16u);
  EXPECT_THROW(cluster_words({text.path()}, {.sizes = {8}, .min_count = 1}, Execution(1)),
               UsageError);
}

TEST(Cluster, OneSizeNeedsNoTree) {
  const TempFile text("the dog barks .\nthe cat sleeps .\na dog sleeps .\na cat barks .\n");
  std::size_t merging = 0;
  ClusterOptions options{.sizes = {4}, .min_count = 1};
  options.on_merge = [&](double) { ++merging; };
  const Clusters one = cluster_words({text.path()}, options, Execution(1));
  EXPECT_EQ(merging, 0u);
  EXPECT_EQ(one.classes, numbered_by_first_word(one.classes));
  options.sizes = {2, 4};
  const Clusters two = cluster_words({text.path()}, options, Execution(1));
  EXPECT_GT(merging, 0u);
  std::vector<std::uint32_t> second;
  for (std::size_t i = 1; i < two.classes.size(); i += 2) second.push_back(two.classes[i]);
  EXPECT_EQ(numbered_by_first_word(second), one.classes);
}

TEST(Cluster, SizesAreSortedAndChecked) {
  EXPECT_THAT(parse_sizes("classes", "512,64"), testing::ElementsAre(64, 512));
  for (const char* bad : {"", "64,", "1", "x", "64,64", "64 512", "5000"}) {
    EXPECT_THROW(parse_sizes("classes", bad), UsageError) << bad;
  }
  std::string sizes = "2";  // as many as a table may have columns, then one more
  for (std::size_t i = 1; i < kMostClassColumns; ++i) sizes += fmt::format(",{}", i + 2);
  EXPECT_EQ(parse_sizes("classes", sizes).size(), kMostClassColumns);
  EXPECT_THROW(parse_sizes("classes", sizes + ",99"), UsageError);
}

}  // namespace
}  // namespace megadapt::words
