// Spherical k-means of word vectors.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/processor.hpp"
#include "base/random.hpp"
#include "corpus/text/word_classes.hpp"
#include "words/cluster.hpp"
#include "words/vectors.hpp"

namespace megadapt::words {
namespace {

constexpr std::size_t kLearnt = 30'000;  // centres are found for this many words
constexpr int kRounds = 8;
constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kGrain = 256;      // words a task
constexpr std::size_t kWordsAtOnce = 4;  // words and centres of a tile
constexpr std::size_t kCentres = 16;

/// Centres in tiles of kCentres: [tiles][dimension][kCentres]. The last tile is filled with
/// zeros.
struct Centres {
  Centres(std::uint32_t number, std::uint32_t dimensions)
      : size(number),
        dimension(dimensions),
        tiles((number + kCentres - 1) / kCentres),
        values(tiles * dimension * kCentres) {}

  float& at(std::size_t centre, std::size_t d) {
    return values[(centre / kCentres * dimension + d) * kCentres + centre % kCentres];
  }

  std::size_t size, dimension, tiles;
  std::vector<float> values;
};

/// The cosines of kWordsAtOnce words with the centres of one tile.
using Tile = std::array<std::array<float, kCentres>, kWordsAtOnce>;

[[gnu::always_inline]] inline void multiply(const float* const* words, const float* centres,
                                            std::size_t dimension, Tile& sums) {
  Tile tile{};
  for (std::size_t d = 0; d < dimension; ++d) {
    for (std::size_t w = 0; w < kWordsAtOnce; ++w) {
      for (std::size_t c = 0; c < kCentres; ++c) {
        tile[w][c] += words[w][d] * centres[d * kCentres + c];
      }
    }
  }
  sums = tile;
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void multiply_avx2(const float* const* words,
                                               const float* centres, std::size_t dimension,
                                               Tile& sums) {
  multiply(words, centres, dimension, sums);
}
#endif
void multiply_baseline(const float* const* words, const float* centres,
                       std::size_t dimension, Tile& sums) {
  multiply(words, centres, dimension, sums);
}

using Multiply = void (*)(const float* const*, const float*, std::size_t, Tile&);

Multiply chosen_multiply() {
#if defined(__x86_64__)
  if (use_avx2()) return multiply_avx2;
#endif
  return multiply_baseline;
}

/// Groups some words of a table. Only the first `learnt` words move the centres; then every
/// word gets the nearest centre.
class SphericalKMeans {
 public:
  SphericalKMeans(const VectorTable& table, std::span<const std::uint32_t> words,
                  std::size_t learnt, std::uint32_t size, const Execution& exec)
      : table_(table),
        words_(words),
        learnt_(learnt),
        centres_(size, table.dimension),
        exec_(exec) {}

  /// Returns [words]: the centre of each.
  std::vector<std::uint32_t> run() {
    draw_centres();
    for (int round = 0; round < kRounds; ++round) {
      assign(learnt_);
      if (!move_centres()) break;
    }
    assign(words_.size());
    return std::move(nearest_);
  }

 private:
  std::span<const float> vector(std::size_t place) const {
    return table_.vector(words_[place]);
  }

  // Different words, drawn without replacement.
  void draw_centres() {
    std::vector<std::uint32_t> order(learnt_);
    std::iota(order.begin(), order.end(), 0u);
    Random random(kSeed);
    for (std::uint32_t c = 0; c < centres_.size; ++c) {
      const auto left = static_cast<std::uint32_t>(learnt_ - c);
      std::swap(order[c], order[c + random.below(left)]);
      set_centre(c, order[c]);
    }
  }

  void set_centre(std::size_t centre, std::size_t place) {
    const auto values = vector(place);
    for (std::size_t d = 0; d < values.size(); ++d) centres_.at(centre, d) = values[d];
  }

  // Finds the nearest centre of each of the first `count` words; on a tie, the first one.
  void assign(std::size_t count) {
    nearest_.resize(count);
    cosine_.resize(count);
    const Multiply multiply_tile = chosen_multiply();
    exec_.throw_if_stopped();
    exec_.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t first = begin; first < end; first += kWordsAtOnce) {
        assign_words(first, std::min(end, first + kWordsAtOnce), multiply_tile);
      }
    });
  }

  void assign_words(std::size_t first, std::size_t end, Multiply multiply_tile) {
    std::array<const float*, kWordsAtOnce> words{};
    for (std::size_t w = 0; w < kWordsAtOnce; ++w) {
      words[w] = vector(std::min(first + w, end - 1)).data();
    }
    std::array<float, kWordsAtOnce> best;
    best.fill(-std::numeric_limits<float>::infinity());
    std::array<std::uint32_t, kWordsAtOnce> which{};
    Tile tile;
    for (std::size_t t = 0; t < centres_.tiles; ++t) {
      const float* centres = centres_.values.data() + t * centres_.dimension * kCentres;
      multiply_tile(words.data(), centres, centres_.dimension, tile);
      const std::size_t width = std::min(kCentres, centres_.size - t * kCentres);
      for (std::size_t w = 0; w < kWordsAtOnce; ++w) {
        for (std::size_t c = 0; c < width; ++c) {
          if (tile[w][c] <= best[w]) continue;
          best[w] = tile[w][c];
          which[w] = static_cast<std::uint32_t>(t * kCentres + c);
        }
      }
    }
    for (std::size_t w = 0; first + w < end; ++w) {
      nearest_[first + w] = which[w];
      cosine_[first + w] = best[w];
    }
  }

  // Moves every centre to the direction of the sum of its words. A centre without words goes
  // to the word that fits its own centre worst. Returns whether a word changed its centre.
  bool move_centres() {
    if (before_ == nearest_) return false;
    before_ = nearest_;
    const std::size_t D = centres_.dimension;
    std::vector<double> sums(centres_.size * D);
    for (std::size_t w = 0; w < learnt_; ++w) {
      const auto values = vector(w);
      double* sum = sums.data() + nearest_[w] * D;
      for (std::size_t d = 0; d < D; ++d) sum[d] += double{values[d]};
    }
    for (std::size_t c = 0; c < centres_.size; ++c) {
      double square = 0;
      for (std::size_t d = 0; d < D; ++d) square += sums[c * D + d] * sums[c * D + d];
      if (square == 0) {
        const auto worst = std::ranges::min_element(cosine_) - cosine_.begin();
        set_centre(c, static_cast<std::size_t>(worst));
        cosine_[static_cast<std::size_t>(worst)] = 1;
        continue;
      }
      const double scale = 1 / std::sqrt(square);
      for (std::size_t d = 0; d < D; ++d) {
        centres_.at(c, d) = static_cast<float>(sums[c * D + d] * scale);
      }
    }
    return true;
  }

  const VectorTable& table_;
  std::span<const std::uint32_t> words_;
  std::size_t learnt_;
  Centres centres_;
  const Execution& exec_;
  std::vector<std::uint32_t> nearest_, before_;  // [words]
  std::vector<float> cosine_;                    // [words]: with the nearest centre
};

/// The words of one class, in the order of the table.
struct Members {
  std::vector<std::uint32_t> words;
  std::size_t learnt = 0;  // how many of them are among the first kLearnt of the table
  std::uint32_t parts = 1;
};

std::vector<Members> members_of(std::span<const std::uint32_t> classes) {
  std::vector<Members> members(std::ranges::max(classes) + std::size_t{1});
  for (std::uint32_t w = 0; w < classes.size(); ++w) {
    Members& own = members[classes[w]];
    own.words.push_back(w);
    own.learnt += w < kLearnt ? 1u : 0u;
  }
  return members;
}

// Divides `size` parts among the classes. Each part goes to the class with the most words per
// part so far. A class without words to learn from stays whole.
void share_parts(std::vector<Members>& members, std::uint32_t size) {
  const auto words_a_part = [](const Members& own) {
    return static_cast<double>(own.learnt) / (own.parts + 1.0);
  };
  for (std::size_t parts = members.size(); parts < size; ++parts) {
    ++std::ranges::max_element(members, {}, words_a_part)->parts;
  }
}

// Splits classes into `size` classes altogether.
std::vector<std::uint32_t> split(const VectorTable& table,
                                 std::span<const std::uint32_t> classes, std::uint32_t size,
                                 const Execution& exec) {
  std::vector<Members> members = members_of(classes);
  share_parts(members, size);
  std::vector<std::uint32_t> finer(classes.size());
  std::uint32_t first = 0;
  for (const Members& own : members) {
    const auto part = SphericalKMeans(table, own.words, own.learnt, own.parts, exec).run();
    for (std::size_t i = 0; i < part.size(); ++i) finer[own.words[i]] = first + part[i];
    first += own.parts;
  }
  return numbered_by_first_word(finer);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> cluster_vectors(
    const VectorTable& table, const std::vector<std::uint32_t>& sizes,
    const Execution& exec) {
  if (sizes.back() > std::min<std::size_t>(kLearnt, table.words.size())) {
    throw UsageError(fmt::format("{} vectors are too few for {} classes",
                                 table.words.size(), sizes.back()),
                     "ask for fewer classes with --vector-classes");
  }
  std::vector<std::vector<std::uint32_t>> columns;
  std::vector<std::uint32_t> classes(table.words.size(), 0);
  for (const std::uint32_t size : sizes) {
    classes = split(table, classes, size, exec);
    columns.push_back(classes);
  }
  return columns;
}

void refuse_unknown_word(std::string_view word) {
  throw UsageError(fmt::format("the table has no word '{}'", word),
                   "look for another word, or another form of it");
}

std::vector<std::pair<std::string, double>> nearest_words(const VectorTable& table,
                                                          std::string_view word,
                                                          std::size_t count) {
  std::uint32_t own = table.words.find(word);
  if (own == kNone) own = table.words.find(lower_case(word));
  if (own == kNone) refuse_unknown_word(word);
  std::vector<std::pair<double, std::uint32_t>> order;
  const auto vector = table.vector(own);
  for (std::uint32_t w = 0; w < table.words.size(); ++w) {
    const auto other = table.vector(w);
    const double cosine =
        std::inner_product(vector.begin(), vector.end(), other.begin(), 0.0);
    if (w != own) order.emplace_back(-cosine, w);
  }
  const auto end =
      order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end());
  std::vector<std::pair<std::string, double>> nearest;
  for (auto at = order.begin(); at != end; ++at) {
    nearest.emplace_back(table.words.name(at->second), -at->first);
  }
  return nearest;
}

WordClasses classes_of_vectors(const std::string& path,
                               const std::vector<std::uint32_t>& sizes,
                               const Execution& exec) {
  const VectorTable vectors = read_vectors(path);
  WordClassTable table;
  for (const std::uint32_t size : sizes) {
    table.columns.push_back(fmt::format("class{}", size));
  }
  const auto classes = cluster_vectors(vectors, sizes, exec);
  // The id of each class' name; its first word gives it one.
  std::vector<std::vector<std::uint32_t>> id;
  for (const std::uint32_t size : sizes) id.emplace_back(size, kNone);
  for (std::uint32_t w = 0; w < vectors.words.size(); ++w) {
    const std::string_view word = vectors.words.name(w);
    if (const std::string lower = lower_case(word); lower != word) {
      const std::uint32_t known = vectors.words.find(lower);
      const auto same = [&](const auto& column) { return column[w] == column[known]; };
      if (known != kNone && std::ranges::all_of(classes, same)) continue;
    }
    table.words.add(word);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      std::uint32_t& own = id[c][classes[c][w]];
      if (own == kNone) own = table.names.add(class_name(c, classes[c][w]));
      table.ids.push_back(own);
    }
  }
  return WordClasses(std::move(table));
}

}  // namespace megadapt::words
