#include "words/bigrams.hpp"

#include <algorithm>
#include <numeric>

namespace megadapt::words {
namespace {

/// A list of neighbours for each symbol, from pairs (symbol << 32 | neighbour) in any order.
void make_lists(std::vector<std::uint64_t> pairs, std::size_t symbols,
                std::vector<std::uint64_t>& begin, std::vector<Neighbour>& list) {
  std::ranges::sort(pairs);
  begin.assign(symbols + 1, 0);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i + 1;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    list.push_back(
        {static_cast<std::uint32_t>(pairs[i]), static_cast<std::uint32_t>(end - i)});
    begin[(pairs[i] >> 32) + 1] = list.size();
    i = end;
  }
  for (std::size_t s = 1; s <= symbols; ++s) begin[s] = std::max(begin[s], begin[s - 1]);
}

}  // namespace

void BigramCounter::add(std::span<const std::string_view> sentence) {
  text_.push_back(kBorder);
  for (const std::string_view word : sentence) {
    const std::uint32_t id = words_.add(word);
    if (id == count_.size()) count_.push_back(0);
    ++count_[id];
    text_.push_back(id);
  }
  tokens_ += sentence.size();
}

Bigrams BigramCounter::finish(std::uint64_t min_count) {
  std::vector<std::uint32_t> order(words_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (count_[a] != count_[b]) return count_[a] > count_[b];
    return words_.name(a) < words_.name(b);
  });
  while (!order.empty() && count_[order.back()] < min_count) order.pop_back();
  const auto num_words = static_cast<std::uint32_t>(order.size());
  const std::uint32_t border = num_words;
  const std::uint32_t rare = num_words + 1;
  std::vector<std::uint32_t> symbol(words_.size(), rare);
  Bigrams made;
  made.tokens = tokens_;
  made.count.assign(num_words + std::size_t{2}, 0);
  for (std::uint32_t i = 0; i < num_words; ++i) {
    symbol[order[i]] = i;
    made.words.add(words_.name(order[i]));
  }
  std::vector<std::uint64_t> after, before;
  text_.push_back(kBorder);
  std::uint64_t previous = border;
  for (std::size_t i = 1; i < text_.size(); ++i) {
    const std::uint64_t next = text_[i] == kBorder ? border : symbol[text_[i]];
    ++made.count[next];
    after.push_back(previous << 32 | next);
    before.push_back(next << 32 | previous);
    previous = next;
  }
  make_lists(std::move(after), made.num_symbols(), made.after_begin, made.after);
  make_lists(std::move(before), made.num_symbols(), made.before_begin, made.before);
  return made;
}

}  // namespace megadapt::words
