#include "words/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/option_table.hpp"
#include "corpus/text/word_classes.hpp"
#include "words/bigrams.hpp"
#include "words/class_tree.hpp"
#include "words/exchange.hpp"

namespace megadapt::words {
namespace {

constexpr std::uint32_t kMostClasses = 4096;
// Rounds end when fewer than one word in this many moves.
constexpr std::size_t kSettled = 500;

Bigrams read_text(const std::vector<std::string>& files, const ClusterOptions& options) {
  BigramCounter counter;
  std::vector<std::string> lowered;
  std::vector<std::string_view> views;
  for (const std::string& file : files) {
    const auto reader = open_sentences(file, {.format = options.format,
                                              .tokens = options.tokens,
                                              .language = options.language,
                                              .labelled = false,
                                              .tags_optional = true,
                                              .stop = options.stop});
    for (Sentence sentence; reader->next(sentence);) {
      if (!options.lower_case) {
        counter.add(sentence.tokens);
        continue;
      }
      lowered.clear();
      for (const std::string_view token : sentence.tokens) {
        lowered.push_back(lower_case(token));
      }
      views.assign(lowered.begin(), lowered.end());
      counter.add(views);
    }
  }
  return counter.finish(options.min_count);
}

void check_text(const Bigrams& bigrams, const ClusterOptions& options) {
  if (bigrams.words.size() >= options.sizes.back()) return;
  throw UsageError(
      fmt::format("the text has {} words that occur {} times or more, too few for {} "
                  "classes",
                  bigrams.words.size(), options.min_count, options.sizes.back()),
      "give more text, ask for fewer classes with -k, or lower --min-count");
}

// Returns [sizes][words]: the class of each word, in each column.
std::vector<std::vector<std::uint32_t>> columns_of(const Exchange& exchange,
                                                   std::size_t num_words,
                                                   const ClusterOptions& options,
                                                   const Execution& exec) {
  const auto class_of = std::span(exchange.class_of()).first(num_words);
  if (options.sizes.size() == 1) return {numbered_by_first_word(class_of)};
  const ClassTree tree(exchange, exec, options.on_merge);
  std::vector<std::vector<std::uint32_t>> columns;
  for (const std::uint32_t size : options.sizes) {
    const std::vector<std::uint32_t> cut = tree.cut(size);
    std::vector<std::uint32_t>& column = columns.emplace_back();
    for (const std::uint32_t c : class_of) column.push_back(cut[c]);
  }
  return columns;
}

}  // namespace

std::string class_name(std::size_t column, std::uint32_t number) {
  return fmt::format("{}{}", static_cast<char>('A' + column), number);
}

std::vector<std::uint32_t> numbered_by_first_word(std::span<const std::uint32_t> classes) {
  std::vector<std::uint32_t> number, numbered;
  std::uint32_t next = 0;
  for (const std::uint32_t c : classes) {
    if (c >= number.size()) number.resize(c + std::size_t{1}, kNone);
    if (number[c] == kNone) number[c] = next++;
    numbered.push_back(number[c]);
  }
  return numbered;
}

std::vector<std::uint32_t> parse_sizes(std::string_view option, std::string_view text) {
  const std::string example = fmt::format("write for example {}", kUsualSizes);
  std::vector<std::uint32_t> sizes;
  for (std::string_view rest = text;;) {
    const std::string_view part = rest.substr(0, rest.find(','));
    std::uint32_t size = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || end != part.data() + part.size() || size < 2 ||
        size > kMostClasses) {
      refuse_value(
          option, text,
          fmt::format("whole numbers from 2 to {} with commas between them", kMostClasses),
          example);
    }
    sizes.push_back(size);
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  std::ranges::sort(sizes);
  if (std::ranges::adjacent_find(sizes) != sizes.end() ||
      sizes.size() > kMostClassColumns) {
    refuse_value(option, text, fmt::format("up to {} different numbers", kMostClassColumns),
                 example);
  }
  return sizes;
}

std::string Clusters::table() const {
  std::string text = "word";
  for (const std::string& column : columns) (text += '\t') += column;
  text += "\tcount\n";
  for (std::size_t w = 0; w < words.size(); ++w) {
    text += words[w];
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += '\t';
      text += class_name(c, classes[w * columns.size() + c]);
    }
    text += fmt::format("\t{}\n", counts[w]);
  }
  return text;
}

Clusters cluster_words(const std::vector<std::string>& files, const ClusterOptions& options,
                       const Execution& exec) {
  const Bigrams bigrams = read_text(files, options);
  check_text(bigrams, options);
  Exchange exchange(bigrams, options.sizes.back(), options.seed);
  Clusters made;
  for (int round = 1; round <= options.rounds; ++round) {
    const std::size_t moved = exchange.round(exec);
    made.log_likelihood.push_back(exchange.log_likelihood());
    if (options.on_round) options.on_round(round, moved, made.log_likelihood.back());
    if (moved * kSettled < bigrams.words.size()) break;
  }
  made.words = bigrams.words.names();
  const auto columns = columns_of(exchange, made.words.size(), options, exec);
  for (const std::uint32_t size : options.sizes) {
    made.columns.push_back(fmt::format("class{}", size));
  }
  made.counts.assign(bigrams.count.begin(), bigrams.count.end() - 2);
  made.tokens = bigrams.tokens;
  for (std::size_t w = 0; w < made.words.size(); ++w) {
    for (const auto& column : columns) made.classes.push_back(column[w]);
  }
  return made;
}

}  // namespace megadapt::words
