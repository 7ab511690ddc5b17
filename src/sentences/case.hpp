#pragma once

#include <map>
#include <string>
#include <string_view>

#include "megadapt/corpus.hpp"

namespace megadapt::sentences {

/// Appends `text` in lower or upper case, by rules that do not depend on the language.
void append_lower(std::string_view text, std::string& out);
void append_upper(std::string_view text, std::string& out);

/// Counts the mixed-case forms of training text.
class MixedFormCounter {
 public:
  void add(std::string_view lower, std::string_view form);
  /// The most frequent form of each word; on a tie, the first in byte order.
  MixedForms most_frequent() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>, std::less<>> count_;
};

}  // namespace megadapt::sentences
