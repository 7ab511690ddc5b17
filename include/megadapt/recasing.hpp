#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace megadapt {

/// Lower-cased word -> its form of mixed case (`mccain` -> `McCain`).
using MixedForms = std::map<std::string, std::string>;

/// A lower-cased word in the case of a class of case_class(): Lowercase, Capitalized,
/// AllUpper, Punct, Mixed. A Mixed word takes the form that training knows, or is
/// capitalised where it knows none.
std::string recase(std::string_view lower, std::string_view case_class,
                   const MixedForms& forms);

/// Counts the forms of mixed case in training text.
class MixedFormCounter {
 public:
  void add(std::string_view lower, std::string_view form);
  /// The most frequent form of each word, of equals the first in byte order.
  MixedForms most_frequent() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>, std::less<>> count_;
};

}  // namespace megadapt
