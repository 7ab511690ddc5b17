#pragma once

#include "support/random_data.hpp"

namespace megadapt::testing_support {

/// Sentences from a hidden Markov chain over three tags, where a word is only a weak hint
/// at its tag. Domain 0 "out" has many sentences; domain 1 "in" has few, and its words hint
/// at other tags. The tag templates are the previous tag (or the start mark) and the
/// previous tag with the word.
inline Dataset planted_sequences(std::size_t out_sentences, std::size_t in_sentences,
                                 std::uint64_t seed, bool tag_features = true) {
  constexpr std::uint32_t kTags = 3, kWords = 12;
  Random random(seed);
  Dataset data;
  data.own_schema().features.add("");
  for (const char* label : {"a", "b", "c"}) data.own_schema().labels.add(label);
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  for (std::uint32_t w = 0; w < kWords; ++w)
    data.own_schema().features.add(fmt::format("w={}", w));
  data.own_schema().tag_feature.assign(data.num_features(), false);
  if (tag_features) {
    data.tag_slots.templates = 2;
    const auto add_slot = [&](const std::string& word) {
      for (const char* tag : {"a", "b", "c", "<s>"}) {
        data.tag_slots.feature.push_back(
            data.own_schema().features.add(fmt::format("tag[-1]{}={}", word, tag)));
      }
    };
    add_slot("");
    for (std::uint32_t w = 0; w < kWords; ++w) add_slot(fmt::format("|w={}", w));
    data.own_schema().tag_feature.resize(data.num_features(), true);
  }
  data.sentence_begin.push_back(0);
  for (std::size_t s = 0; s < out_sentences + in_sentences; ++s) {
    const std::uint32_t domain = s < out_sentences ? 0 : 1;
    std::uint32_t previous = kTags;
    for (std::uint32_t length = 2 + random.below(8); length > 0; --length) {
      const bool follows = previous < kTags && random.uniform() < 0.7;
      const std::uint32_t tag = follows ? (previous + 1) % kTags : random.below(kTags);
      const std::uint32_t hint = (tag + domain) % kTags;
      const std::uint32_t word = random.uniform() < 0.5
                                     ? hint + kTags * random.below(kWords / kTags)
                                     : random.below(kWords);
      std::vector<std::uint32_t> features{0, 1 + word};
      if (tag_features) {
        const std::uint32_t slots[]{0, 1 + word};
        for (const std::uint32_t slot : slots) {
          data.tag_slots.slot.push_back(slot);
          features.push_back(data.tag_slots.feature[slot * (kTags + 1) + previous]);
        }
      }
      add_row(data, features, tag, domain);
      previous = tag;
    }
    data.sentence_begin.push_back(data.num_examples());
  }
  return data;
}

/// Rows [first, last) of sentence `s`.
inline std::pair<std::size_t, std::size_t> sentence_rows(const Dataset& data,
                                                         std::size_t s) {
  return {data.sentence_begin[s], data.sentence_begin[s + 1]};
}

}  // namespace megadapt::testing_support
