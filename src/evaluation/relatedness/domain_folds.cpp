#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "base/random.hpp"
#include "evaluation/relatedness/domain_classifier.hpp"

namespace megadapt {
namespace {

/// Sets of rows that must stay together (union-find).
class Together {
 public:
  explicit Together(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::size_t i, std::size_t j) { parent_[root(j)] = root(i); }

 private:
  std::vector<std::size_t> parent_;
};

// Equal for rows with the same features in any order; a collision is very unlikely.
std::size_t content_key(RowView row) {
  std::vector<std::uint32_t> sorted(row.features.begin(), row.features.end());
  std::sort(sorted.begin(), sorted.end());
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(sorted.data()),
                                        sorted.size() * sizeof(std::uint32_t)});
}

Together rows_together(const Dataset& data, RowIds rows) {
  Together together(rows.size());
  std::unordered_map<std::size_t, std::size_t> first_with_content;
  std::unordered_map<std::uint32_t, std::size_t> first_of_group;
  std::size_t sentence = 0, first_of_sentence = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t n = rows[i];
    if (data.is_sequences()) {  // rows ascend
      const bool same = i > 0 && n < data.sentence_begin[sentence];
      if (!same) first_of_sentence = i;
      while (data.sentence_begin[sentence] <= n) ++sentence;
      together.unite(first_of_sentence, i);
    } else if (data.group.empty() || data.group[n] == kNone) {
      // Rows with the same features stay together, unless they belong to documents or
      // sentences: these share so many rows that few sets would remain.
      together.unite(
          first_with_content.try_emplace(content_key(data.rows[n]), i).first->second, i);
    }
    if (data.group.empty() || data.group[n] == kNone) continue;
    together.unite(first_of_group.try_emplace(data.group[n], i).first->second, i);
  }
  return together;
}

}  // namespace

std::vector<std::uint32_t> deal_domain_folds(const Dataset& data, RowIds rows,
                                             std::uint32_t folds, std::uint64_t seed) {
  struct Unit {
    std::vector<std::size_t> members;       // indices into `rows`
    std::map<std::uint32_t, double> share;  // share of each domain's rows
  };
  std::vector<double> total(data.num_domains());
  for (const std::size_t n : rows) ++total[data.domain[n]];
  Together together = rows_together(data, rows);
  std::vector<Unit> units;
  std::unordered_map<std::size_t, std::size_t> unit_of_root;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto [at, added] = unit_of_root.try_emplace(together.root(i), units.size());
    if (added) units.emplace_back();
    units[at->second].members.push_back(i);
    units[at->second].share[data.domain[rows[i]]] += 1 / total[data.domain[rows[i]]];
  }
  Random random(seed);
  for (auto i = static_cast<std::uint32_t>(units.size()); i > 1; --i) {
    std::swap(units[i - 1], units[random.below(i)]);
  }
  std::stable_sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
    return a.members.size() > b.members.size();
  });

  // Deal large units first, each to the fold that so far has the fewest rows of the unit's
  // domains.
  std::vector<std::vector<double>> load(folds, std::vector<double>(data.num_domains()));
  std::vector<std::uint32_t> fold(rows.size());
  for (const Unit& unit : units) {
    std::uint32_t best = 0;
    double least = 0;
    for (std::uint32_t k = 0; k < folds; ++k) {
      double met = 0;
      for (const auto& [domain, share] : unit.share) met += share * load[k][domain];
      if (k == 0 || met < least) best = k, least = met;
    }
    for (const auto& [domain, share] : unit.share) load[best][domain] += share;
    for (const std::size_t i : unit.members) fold[i] = best;
  }
  return fold;
}

}  // namespace megadapt
