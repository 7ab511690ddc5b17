#pragma once

#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace megadapt::features {

/// Snowball's stemmer for one language; "none" leaves words as they are.
class Stemmer {
 public:
  /// Throws UsageError, with a suggestion, for a language without a stemmer.
  explicit Stemmer(const std::string& language);
  ~Stemmer();
  Stemmer(const Stemmer&) = delete;
  Stemmer& operator=(const Stemmer&) = delete;

  /// The stem of a lower-cased word, valid until the next call.
  std::string_view stem(std::string_view word);

 private:
  sb_stemmer* stemmer_ = nullptr;
};

std::vector<std::string> stemmer_languages();

}  // namespace megadapt::features
