#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "corpus/bytes/bytes.hpp"
#include "megadapt/corpus.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::words {

/// Only this many words of a table are used, the first ones. Tables begin with the most
/// frequent words.
inline constexpr std::size_t kMostVectors = 200'000;

/// Words with vectors, the most frequent first.
struct VectorTable {
  NameIndex words;
  std::uint32_t dimension = 0;
  std::vector<float> values;  ///< [words][dimension], each vector of length 1

  std::span<const float> vector(std::size_t word) const {
    return std::span(values).subspan(word * dimension, dimension);
  }
};

/// Reads the first kMostVectors words of a table of word2vec (text or .bin), GloVe or
/// fastText (text), perhaps compressed. Leaves out vectors of zeros, repeated words and words
/// of a .bin that are not UTF-8. Throws InputError with the line or byte of the problem, also
/// for text that is not UTF-8 and for a table with fewer words than its header says.
VectorTable read_vectors(const std::string& path);
/// The same for bytes that are not compressed. `name` is for messages.
VectorTable read_vectors(std::unique_ptr<corpus::ByteSource> source,
                         const std::string& name);

/// Groups the vectors by direction (spherical k-means, Dhillon & Modha 2001): centres are
/// found for the first words, then every word gets the class of the centre with the largest
/// cosine. `sizes` are ascending numbers of classes. Each size splits the classes of the one
/// before, which is much cheaper than grouping all words anew. Returns [sizes][words]: the
/// class of each word, numbered by their first words. Does not depend on the number of
/// threads.
std::vector<std::vector<std::uint32_t>> cluster_vectors(
    const VectorTable& table, const std::vector<std::uint32_t>& sizes,
    const Execution& exec);

/// Throws the UsageError for a word that a table does not have.
[[noreturn]] void refuse_unknown_word(std::string_view word);

/// Returns the words whose vectors have the largest cosines with that of `word`, the nearest
/// first, without `word`. Throws UsageError if neither it nor its lower-cased form is there.
std::vector<std::pair<std::string, double>> nearest_words(const VectorTable& table,
                                                          std::string_view word,
                                                          std::size_t count);

/// The classes of a table of vectors, one column for each of `sizes`. A word with the same
/// classes as its lower-cased form is left out, because that form stands for it.
WordClasses classes_of_vectors(const std::string& path,
                               const std::vector<std::uint32_t>& sizes,
                               const Execution& exec);

}  // namespace megadapt::words
