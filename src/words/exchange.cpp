#include "words/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace megadapt::words {
namespace {

constexpr std::uint64_t kLargestTable = std::uint64_t{1} << 22;

}  // namespace

XLogX::XLogX(std::uint64_t largest) : table_(std::min(largest + 2, kLargestTable)) {
  for (std::size_t x = 2; x < table_.size(); ++x) {
    table_[x] = static_cast<double>(x) * std::log(static_cast<double>(x));
  }
}

double XLogX::operator()(std::uint64_t x) const {
  if (x < table_.size()) return table_[x];
  return static_cast<double>(x) * std::log(static_cast<double>(x));
}

/// How often a word stands before and after each class, without pairs of the word and itself.
struct Exchange::Profile {
  explicit Profile(std::size_t width) : after(width), before(width) {}
  std::vector<std::uint32_t> after, before;            // [width]
  std::vector<std::uint32_t> after_list, before_list;  // the classes with counts
  std::uint32_t itself = 0;
  std::vector<double> score;
};

Exchange::Exchange(const Bigrams& bigrams, std::uint32_t classes, std::uint64_t seed)
    : bigrams_(bigrams),
      classes_(std::min(classes, bigrams.words.size())),
      width_(classes_ + std::size_t{2}),
      phi_(bigrams.tokens),
      class_of_(bigrams.num_symbols()),
      count_(width_),
      pairs_(width_ * width_),
      turned_(width_ * width_),
      one_(width_ * width_),
      one_turned_(width_ * width_) {
  Random random(seed);
  const std::uint32_t num_words = bigrams.words.size();
  for (std::uint32_t w = 0; w < num_words; ++w) {
    class_of_[w] = w < classes_ ? w : random.below(classes_);
  }
  class_of_[num_words] = classes_;
  class_of_[num_words + 1] = classes_ + 1;
  for (std::uint32_t s = 0; s < class_of_.size(); ++s) {
    count_[class_of_[s]] += bigrams.count[s];
    for (const Neighbour& next : bigrams.after_of(s)) {
      change(class_of_[s], class_of_[next.word], next.count);
    }
  }
}

void Exchange::change(std::uint32_t c, std::uint32_t d, std::int64_t by) {
  const std::size_t at = c * width_ + d;
  const std::size_t turned = d * width_ + c;
  pairs_[at] = static_cast<std::uint32_t>(pairs_[at] + by);
  turned_[turned] = pairs_[at];
  one_[at] = phi_(pairs_[at] + std::uint64_t{1}) - phi_(pairs_[at]);
  one_turned_[turned] = one_[at];
}

void Exchange::profile_of(std::uint32_t word, Profile& profile) const {
  const auto collect = [&](std::span<const Neighbour> neighbours,
                           std::vector<std::uint32_t>& counts,
                           std::vector<std::uint32_t>& list) {
    for (const std::uint32_t c : list) counts[c] = 0;
    list.clear();
    for (const Neighbour& neighbour : neighbours) {
      if (neighbour.word == word) {
        profile.itself = neighbour.count;
        continue;
      }
      const std::uint32_t c = class_of_[neighbour.word];
      if (counts[c] == 0) list.push_back(c);
      counts[c] += neighbour.count;
    }
    std::ranges::sort(list);  // sums must not depend on the order of words
  };
  profile.itself = 0;
  collect(bigrams_.after_of(word), profile.after, profile.after_list);
  collect(bigrams_.before_of(word), profile.before, profile.before_list);
}

// What F loses when the word leaves its class and joins no other.
double Exchange::loss_of_leaving(std::uint32_t word, const Profile& profile) const {
  const std::uint32_t from = class_of_[word];
  const auto fall = [&](std::uint64_t count, std::uint64_t by) {
    return phi_(count) - phi_(count - by);
  };
  double loss = 0;
  for (const std::uint32_t d : profile.after_list) {
    if (d != from) loss += fall(pairs(from, d), profile.after[d]);
  }
  for (const std::uint32_t d : profile.before_list) {
    if (d != from) loss += fall(pairs(d, from), profile.before[d]);
  }
  loss += fall(pairs(from, from),
               std::uint64_t{profile.after[from]} + profile.before[from] + profile.itself);
  return loss - 2 * fall(count_[from], bigrams_.count[word]);
}

// What F gains when the word moves from its class to another one.
double Exchange::gain(std::uint32_t word, std::uint32_t to, const Profile& profile) const {
  const std::uint32_t from = class_of_[word];
  const auto rise = [&](std::uint64_t count, std::uint64_t by) {
    return phi_(count + by) - phi_(count);
  };
  double gained = 0;
  for (const std::uint32_t d : profile.after_list) {
    // The word has left `from`, so pairs of `to` and `from` no longer include it.
    if (d == to) continue;
    const std::uint32_t left = d == from ? profile.before[to] : 0;
    gained += rise(pairs(to, d) - left, profile.after[d]);
  }
  for (const std::uint32_t d : profile.before_list) {
    if (d == to) continue;
    const std::uint32_t left = d == from ? profile.after[to] : 0;
    gained += rise(pairs(d, to) - left, profile.before[d]);
  }
  gained += rise(pairs(to, to),
                 std::uint64_t{profile.after[to]} + profile.before[to] + profile.itself);
  gained -= 2 * rise(count_[to], bigrams_.count[word]);
  return gained - loss_of_leaving(word, profile);
}

// Adds to the score of every class c the gain from the pairs (word, d), for each d of
// `list`: `own` counts them, and row d of `counts` has the pairs of each c with d. The term
// with d = c is corrected in best_class().
void Exchange::score_side(const std::vector<std::uint32_t>& list,
                          const std::vector<std::uint32_t>& own,
                          const std::vector<std::uint32_t>& other,
                          const std::vector<std::uint32_t>& counts,
                          const std::vector<double>& one, std::uint32_t from,
                          std::vector<double>& score) const {
  for (const std::uint32_t d : list) {
    const std::uint32_t* count = counts.data() + d * width_;
    const std::uint64_t by = own[d];
    if (d == from) {
      for (std::size_t c = 0; c < classes_; ++c) {
        const std::uint64_t left = count[c] - (c == from ? 0 : other[c]);
        score[c] += phi_(left + by) - phi_(left);
      }
    } else if (by == 1) {
      const double* gain_of_one = one.data() + d * width_;
      for (std::size_t c = 0; c < classes_; ++c) score[c] += gain_of_one[c];
    } else {
      for (std::size_t c = 0; c < classes_; ++c) {
        score[c] += phi_(count[c] + by) - phi_(count[c]);
      }
    }
  }
}

std::uint32_t Exchange::best_class(std::uint32_t word, Profile& profile) const {
  profile_of(word, profile);
  const std::uint32_t from = class_of_[word];
  std::vector<double>& score = profile.score;
  score.assign(classes_, 0);
  score_side(profile.after_list, profile.after, profile.before, turned_, one_turned_, from,
             score);
  score_side(profile.before_list, profile.before, profile.after, pairs_, one_, from, score);
  const double stay = loss_of_leaving(word, profile);
  std::uint32_t best = from;
  double most = kLeastGain;
  for (std::uint32_t c = 0; c < classes_; ++c) {
    if (c == from) continue;
    const std::uint64_t own = pairs(c, c);
    const std::uint64_t after = profile.after[c];
    const std::uint64_t before = profile.before[c];
    const double both = phi_(own + after + before + profile.itself) - phi_(own + after) -
                        phi_(own + before) + phi_(own);
    const double gained = score[c] + both - stay -
                          2 * (phi_(count_[c] + bigrams_.count[word]) - phi_(count_[c]));
    if (gained > most + (best == from ? 0 : kLeastGain)) {
      most = gained;
      best = c;
    }
  }
  return best;
}

void Exchange::move(std::uint32_t word, std::uint32_t to, const Profile& profile) {
  const std::uint32_t from = class_of_[word];
  for (const std::uint32_t d : profile.after_list) {
    change(from, d, -std::int64_t{profile.after[d]});
    change(to, d, profile.after[d]);
  }
  for (const std::uint32_t d : profile.before_list) {
    change(d, from, -std::int64_t{profile.before[d]});
    change(d, to, profile.before[d]);
  }
  change(from, from, -std::int64_t{profile.itself});
  change(to, to, profile.itself);
  count_[from] -= bigrams_.count[word];
  count_[to] += bigrams_.count[word];
  class_of_[word] = to;
}

std::size_t Exchange::round(const Execution& exec) {
  std::size_t moved = 0;
  std::vector<Profile> profiles(kBatch, Profile(width_));
  std::vector<std::uint32_t> chosen(kBatch);
  for (std::uint32_t first = 0; first < bigrams_.words.size(); first += kBatch) {
    exec.throw_if_stopped();
    const std::size_t size = std::min<std::size_t>(kBatch, bigrams_.words.size() - first);
    exec.parallel_for(size, 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        chosen[i] = best_class(first + static_cast<std::uint32_t>(i), profiles[i]);
      }
    });
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t word = first + static_cast<std::uint32_t>(i);
      if (chosen[i] == class_of_[word]) continue;
      profile_of(word, profiles[i]);
      if (gain(word, chosen[i], profiles[i]) <= kLeastGain) continue;
      move(word, chosen[i], profiles[i]);
      ++moved;
    }
  }
  return moved;
}

double Exchange::objective() const {
  double sum = 0;
  for (const std::uint32_t count : pairs_) sum += phi_(count);
  for (const std::uint64_t count : count_) sum -= 2 * phi_(count);
  return sum;
}

double Exchange::log_likelihood() const {
  double sum = objective();
  for (const std::uint64_t count : bigrams_.count) sum += phi_(count);
  std::uint64_t all = 0;
  for (const std::uint64_t count : bigrams_.count) all += count;
  return sum / static_cast<double>(all);
}

}  // namespace megadapt::words
