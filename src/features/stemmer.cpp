#include "features/stemmer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <libstemmer.h>

#include "base/messages.hpp"

namespace megadapt::features {
namespace {

constexpr std::size_t kLongestWord = 1000;  // longer words are not stemmed

}  // namespace

Stemmer::Stemmer(const std::string& language) {
  if (language == "none") return;
  stemmer_ = sb_stemmer_new(language.c_str(), "UTF_8");
  if (stemmer_) return;
  const std::vector<std::string> names = stemmer_languages();
  throw UsageError(
      fmt::format("there is no stemmer for '{}'", language),
      suggest(language, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

Stemmer::~Stemmer() { sb_stemmer_delete(stemmer_); }

std::string_view Stemmer::stem(std::string_view word) {
  if (!stemmer_ || word.size() > kLongestWord) return word;
  const sb_symbol* stem =
      sb_stemmer_stem(stemmer_, reinterpret_cast<const sb_symbol*>(word.data()),
                      static_cast<int>(word.size()));
  if (!stem) return word;
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_))};
}

std::vector<std::string> stemmer_languages() {
  std::vector<std::string> names;
  for (const char** name = sb_stemmer_list(); *name; ++name) names.emplace_back(*name);
  names.emplace_back("none");
  return names;
}

}  // namespace megadapt::features
