#include <fmt/format.h>

#include <array>

#include "base/messages.hpp"
#include "features/features.hpp"

namespace megadapt {
namespace {

constexpr std::string_view kPos = R"(# Part-of-speech tags.
w lower lower[-2..-1] lower[1..2]
pre1 pre2 pre3 pre4 suf1 suf2 suf3 suf4
shape caps kind edge caps|edge
suf2[-1] suf2[1] suf3[-1] suf3[1] caps[-1] caps[1]
gaz
tag[-1] tag[-1]|lower tag[-1]|lower[1] tag[-1]|suf3
)";

constexpr std::string_view kMention = R"(# Mentions: B/I/O tags of phrases.
w lower stem lower[-2..-1] lower[1..2]
lower[-1]|lower lower|lower[1] lower[-1]|lower[1]
pre1 pre2 pre3 pre4 suf1 suf2 suf3 suf4
suf3[-1] suf3[1] suf3[-1]|suf3
shape caps kind caps[-1] caps[1] edge
pos pos[-1] pos[1] pos[-1]|pos
gaz gaz[-1] gaz[1]
tag[-1] tag[-1]|lower tag[-1]|lower[-1] tag[-1]|suf3 tag[-1]|pos
)";

constexpr std::string_view kMentionType = R"(# The type of a marked span.
w[all] lower[all] lower[head] stem[head] lower[first] lower[last] lower[any]
lower[first-2] lower[first-1] lower[last+1] lower[last+2]
pre3[head] pre4[head] suf2[head] suf3[head] suf4[head]
shape[head] caps[head] caps[first] kind[head] caps[any]
pos[head] pos[first] pos[last] pos[all] pos[first-1] pos[last+1]
gaz[any] gaz[head]
length
)";

constexpr std::string_view kRecap = R"(# The case of lower-cased words.
w w[-2..-1] w[1..2]
w[-1]|w w|w[1]
pre1 pre2 pre3 pre4 suf1 suf2 suf3 suf4
shape kind edge gaz
tag[-1] tag[-1]|w
)";

constexpr std::string_view kChunk =
    R"(# Chunks: B/I/O tags of words with their parts of speech.
w lower lower[-2..-1] lower[1..2]
lower[-1]|lower lower|lower[1]
pos pos[-2..-1] pos[1..2]
pos[-2]|pos[-1] pos[-1]|pos pos|pos[1] pos[1]|pos[2] pos[-1]|pos|pos[1]
suf2 suf3 shape caps kind edge gaz
tag[-1] tag[-1]|lower tag[-1]|pos
)";

constexpr std::array<std::string_view, 5> kNames = {"pos", "mention", "mention-type",
                                                    "recap", "chunk"};
constexpr std::array<std::string_view, 5> kTexts = {kPos, kMention, kMentionType, kRecap,
                                                    kChunk};

// Templates of one column of classes. The last column is the finest, so it also gets
// templates for the classes of the neighbouring words and for the class with the previous
// tag. More templates took time and did not help on held-out training data (docs/words.md).
std::string class_templates(std::string_view column, bool finest, bool spans) {
  if (spans) {
    return fmt::format("{0}[head] {0}[first] {0}[last] {0}[any] {0}[first-1] {0}[last+1]\n",
                       column);
  }
  if (finest) return fmt::format("{0}[-1..1] tag[-1]|{0}\n", column);
  return fmt::format("{0}\n", column);
}

}  // namespace

std::vector<std::string> builtin_feature_sets() { return {kNames.begin(), kNames.end()}; }

std::string_view builtin_features(std::string_view task) {
  return kTexts[index_of_name(task, kNames, "no task is called '{}'")];
}

std::string builtin_features(std::string_view task, const WordClasses& classes) {
  std::string text(builtin_features(task));
  const auto columns = classes.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    text += class_templates(columns[c], c + 1 == columns.size(), task == "mention-type");
  }
  return text;
}

}  // namespace megadapt
