#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <unordered_map>

#include "megadapt/selection.hpp"

namespace megadapt {
namespace {

constexpr int kBucketBits = 20;
constexpr double kSame = 0.9;   // a higher cosine: nearly the same row
constexpr double kAlike = 0.5;  // from here on, rows count as similar
// In a large set, a feature of more than one row in ten says little about similarity and
// makes the search for similar rows slow.
constexpr std::size_t kCommonShare = 10;
constexpr std::size_t kFewRows = 50;

/// A distinct row, with copies.
struct Distinct {
  std::size_t row = 0;
  std::size_t copies = 1;
  std::uint64_t digest = 0;
};

std::uint64_t digest_of(std::span<const std::uint32_t> hashes) {
  return XXH3_64bits(hashes.data(), hashes.size_bytes());
}

std::vector<Distinct> distinct_rows(const FeatureSets& rows) {
  std::vector<Distinct> distinct;
  std::unordered_map<std::uint64_t, std::size_t> place;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const std::uint64_t digest = digest_of(rows[n]);
    const auto [found, is_new] = place.try_emplace(digest, distinct.size());
    if (is_new) {
      distinct.push_back({n, 1, digest});
    } else {
      ++distinct[found->second].copies;
    }
  }
  return distinct;
}

/// The cosines of distinct rows, whose features weigh log(1 + N / rows that have it).
class Similarity {
 public:
  Similarity(const FeatureSets& rows, const std::vector<Distinct>& distinct)
      : rows_(rows), distinct_(distinct), norm_(distinct.size()), dot_(distinct.size()) {
    count_features();
    for (std::size_t d = 0; d < distinct.size(); ++d) {
      double squares = 0;
      for (const std::uint32_t hash : rows[distinct[d].row]) {
        if (weight_[hash] == 0) continue;
        squares += weight_[hash] * weight_[hash];
        holder_[end_[hash]++] = static_cast<std::uint32_t>(d);
      }
      norm_[d] = std::sqrt(squares);
    }
  }

  /// Calls use(other, cosine) for each other row that shares a feature with `d`.
  template <class Use>
  void for_each_alike(std::size_t d, Use use) {
    touched_.clear();
    for (const std::uint32_t hash : rows_[distinct_[d].row]) {
      const double squared = weight_[hash] * weight_[hash];
      if (squared == 0) continue;
      for (std::size_t i = begin_[hash]; i < end_[hash]; ++i) {
        double& dot = dot_[holder_[i]];
        if (dot == 0) touched_.push_back(holder_[i]);
        dot += squared;
      }
    }
    for (const std::uint32_t other : touched_) {
      const double cosine = dot_[other] / (norm_[d] * norm_[other]);
      dot_[other] = 0;
      if (other != d) use(other, cosine);
    }
  }

 private:
  // Sets the weights, and where the rows of each feature begin in `holder_`.
  void count_features() {
    constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;
    std::vector<std::uint32_t> count(kBuckets);
    for (const Distinct& distinct : distinct_) {
      for (const std::uint32_t hash : rows_[distinct.row]) ++count[hash];
    }
    const std::size_t N = distinct_.size();
    const std::size_t common = std::max(kFewRows, N / kCommonShare);
    weight_.resize(kBuckets);
    begin_.resize(kBuckets);
    std::size_t total = 0;
    for (std::size_t hash = 0; hash < kBuckets; ++hash) {
      begin_[hash] = total;
      if (count[hash] == 0 || count[hash] > common) continue;
      weight_[hash] = std::log1p(static_cast<double>(N) / static_cast<double>(count[hash]));
      total += count[hash];
    }
    end_ = begin_;
    holder_.resize(total);
  }

  const FeatureSets& rows_;
  const std::vector<Distinct>& distinct_;
  std::vector<double> weight_;         // [buckets]; 0: not used
  std::vector<std::size_t> begin_;     // [buckets]
  std::vector<std::size_t> end_;       // [buckets]
  std::vector<std::uint32_t> holder_;  // the rows of each feature
  std::vector<double> norm_;           // [distinct]
  std::vector<double> dot_;            // [distinct]; 0 between calls
  std::vector<std::uint32_t> touched_;
};

/// The current value of a row. It falls as similar rows are chosen.
struct Worth {
  double value;
  std::uint64_t digest;
  std::size_t distinct;
  // Ties are broken by the digest, so that the order of rows does not matter.
  bool operator<(const Worth& other) const {
    if (value != other.value) return value < other.value;
    if (digest != other.digest) return digest < other.digest;
    return distinct > other.distinct;
  }
};

}  // namespace

// The hash includes the value, so that only rows with equal numbers count as alike.
std::uint32_t FeatureSets::hash(std::string_view name, float value) {
  const std::uint64_t seed = value == 1 ? 0 : std::bit_cast<std::uint32_t>(value);
  const std::uint64_t hash = XXH3_64bits_withSeed(name.data(), name.size(), seed);
  return static_cast<std::uint32_t>(hash >> (64 - kBucketBits));
}

std::uint32_t FeatureSets::hash(std::uint32_t feature, float value) {
  const auto* bytes = reinterpret_cast<const char*>(&feature);
  return hash(std::string_view(bytes, sizeof feature), value);
}

void FeatureSets::add(std::vector<std::uint32_t> hashes) {
  std::ranges::sort(hashes);
  const auto end = std::unique(hashes.begin(), hashes.end());
  hash_.insert(hash_.end(), hashes.begin(), end);
  begin_.push_back(hash_.size());
}

std::vector<Choice> choose_rows(std::span<const double> score, const FeatureSets& rows,
                                std::size_t budget, std::span<const std::size_t> cost) {
  const std::vector<Distinct> distinct = distinct_rows(rows);
  Similarity similarity(rows, distinct);
  std::vector<double> largest(distinct.size());  // cosine with a chosen row
  const auto worth = [&](std::size_t d) {
    return Worth{score[distinct[d].row] * (1 - largest[d]), distinct[d].digest, d};
  };
  std::priority_queue<Worth> queue;
  for (std::size_t d = 0; d < distinct.size(); ++d) queue.push(worth(d));
  std::vector<Choice> chosen;
  for (std::size_t spent = 0; spent < budget && !queue.empty();) {
    const Worth top = queue.top();
    queue.pop();
    const std::size_t d = top.distinct;
    if (largest[d] > kSame) continue;
    if (const Worth now = worth(d); now.value != top.value) {
      queue.push(now);
      continue;
    }
    Choice choice{distinct[d].row, top.value, distinct[d].copies - 1};
    similarity.for_each_alike(d, [&](std::size_t other, double cosine) {
      largest[other] = std::max(largest[other], std::min(1.0, cosine));
      if (cosine >= kAlike) choice.like += distinct[other].copies;
    });
    spent += cost.empty() ? 1 : cost[choice.row];
    chosen.push_back(choice);
  }
  return chosen;
}

}  // namespace megadapt
