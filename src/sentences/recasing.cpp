#include <algorithm>

#include "sentences/case.hpp"

namespace megadapt {

std::string recase(std::string_view lower, std::string_view case_class,
                   const MixedForms& forms) {
  if (case_class == "Capitalized") return capitalized(lower);
  if (case_class == "AllUpper") return upper_case(lower);
  if (case_class != "Mixed") return std::string(lower);
  const auto known = forms.find(std::string(lower));
  return known != forms.end() ? known->second : capitalized(lower);
}

void sentences::MixedFormCounter::add(std::string_view lower, std::string_view form) {
  auto word = count_.find(lower);
  if (word == count_.end()) word = count_.try_emplace(std::string(lower)).first;
  ++word->second[std::string(form)];
}

MixedForms sentences::MixedFormCounter::most_frequent() const {
  MixedForms forms;
  for (const auto& [lower, of_word] : count_) {
    std::size_t most = 0;
    for (const auto& [form, count] : of_word) {
      if (count > most) forms[lower] = form;
      most = std::max(most, count);
    }
  }
  return forms;
}

}  // namespace megadapt
