// Tables of words: vectors as text and as in word2vec's .bin, and classes.

#include <cmath>

#include "corpus/memory_source.hpp"
#include "fuzz/support.hpp"
#include "fuzz/targets.hpp"
#include "megadapt/error.hpp"
#include "megadapt/words.hpp"
#include "words/vectors.hpp"

namespace megadapt::fuzz {

void fuzz_words(std::string_view bytes) {
  try {
    const words::VectorTable table = words::read_vectors(
        std::make_unique<corpus::MemorySource>(std::string(bytes), 100), "data");
    require(table.values.size() == std::size_t{table.words.size()} * table.dimension);
    for (const float value : table.values) require(std::abs(value) <= 1.001f);
  } catch (const Error&) {
  }
  try {
    const MemoryFile file(bytes);
    const WordClasses classes = read_word_classes(file.path());
    for (const std::uint32_t id : classes.find("the")) {
      require(id == kNone || id < classes.num_names());
    }
  } catch (const Error&) {
  }
}

}  // namespace megadapt::fuzz
