#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "megadapt/corpus.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::words {

/// The default numbers of classes, one for each column.
inline constexpr const char* kUsualSizes = "64,512";

/// Parses "64,512" to ascending numbers of classes. Throws UsageError, which names
/// `option`.
std::vector<std::uint32_t> parse_sizes(std::string_view option, std::string_view text);

struct ClusterOptions {
  /// How many classes, in each column.
  std::vector<std::uint32_t> sizes = parse_sizes("classes", kUsualSizes);
  std::uint64_t min_count = 2;  ///< rarer words get no class
  int rounds = 20;              ///< at most
  std::uint64_t seed = 1;
  SentenceFormat format = SentenceFormat::guess;
  TokenRules tokens = {};  ///< of prose
  std::string language = "english";
  bool lower_case = false;
  const std::atomic<bool>* stop = nullptr;
  /// Called after each round with its number from 1, the moves, and the mean log likelihood
  /// of a token.
  std::function<void(int round, std::size_t moved, double log_likelihood)> on_round = {};
  /// Called while classes are merged, with the share of that work that is done.
  std::function<void(double share)> on_merge = {};
};

struct Clusters {
  std::vector<std::string> columns;         ///< "class64", "class512"
  std::vector<std::string> words;           ///< the most frequent first
  std::vector<std::uint64_t> counts;        ///< [words]
  std::vector<std::uint32_t> classes;       ///< [words][columns]
  std::uint64_t tokens = 0;                 ///< of the text
  std::vector<double> log_likelihood = {};  ///< after each round

  /// Returns the table that read_word_classes() reads.
  std::string table() const;
};

/// The name of a class: a letter for its column and its number, such as B17.
std::string class_name(std::size_t column, std::uint32_t number);

/// Returns the same classes, renumbered in the order of their first words: the class of the
/// first word is 0.
std::vector<std::uint32_t> numbered_by_first_word(std::span<const std::uint32_t> classes);

/// Clusters the words of texts. Exchange finds the largest size; the others are cuts of the
/// tree of its classes. The result does not depend on the number of threads. Throws
/// InputError, or UsageError if the text has too few words.
Clusters cluster_words(const std::vector<std::string>& files, const ClusterOptions& options,
                       const Execution& exec);

}  // namespace megadapt::words
