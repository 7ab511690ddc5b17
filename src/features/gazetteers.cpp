#include "features/gazetteers.hpp"

#include "corpus/fields.hpp"

namespace megadapt::features {

PhraseTree::PhraseTree(std::string_view entries) {
  const std::string lower = lower_case(entries);
  std::string_view rest = lower;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add(line);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  }
}

void PhraseTree::add(std::string_view phrase) {
  std::uint32_t node = kRoot;
  while (!(phrase = corpus::skip_separators(phrase)).empty()) {
    const std::uint32_t word = words_.add(corpus::take_field(phrase));
    const auto [at, is_new] =
        child_.try_emplace(key(node, word), static_cast<std::uint32_t>(ends_.size()));
    if (is_new) ends_.push_back(false);
    node = at->second;
  }
  if (node != kRoot) ends_[node] = true;
}

void PhraseTree::mark(const std::vector<std::string_view>& words,
                      std::vector<std::uint8_t>& marks) const {
  marks.assign(words.size(), 0);
  for (std::size_t first = 0; first < words.size();) {
    std::size_t longest = 0;
    std::uint32_t node = kRoot;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::uint32_t word = words_.find(words[i]);
      const auto next = word == kNone ? child_.end() : child_.find(key(node, word));
      if (next == child_.end()) break;
      node = next->second;
      if (ends_[node]) longest = i + 1 - first;
    }
    for (std::size_t i = 0; i < longest; ++i) marks[first + i] = i == 0 ? 1 : 2;
    first += longest == 0 ? 1 : longest;
  }
}

}  // namespace megadapt::features
