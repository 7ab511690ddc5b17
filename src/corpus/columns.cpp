#include "corpus/columns.hpp"

#include <algorithm>

#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  text = skip_separators(text);
  while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
  return text;
}

Columns::Columns(const std::vector<std::string_view>& header, const ColumnNames& chosen) {
  std::optional<std::size_t> doc;
  for (std::size_t i = 0; i < header.size(); ++i) {
    std::string name(trimmed(header[i]));
    names.push_back(name);
    if (name == chosen.domain && !domain) domain = i;
    std::ranges::transform(name, name.begin(), lower);
    const auto is = [&](const char* wanted, std::optional<std::size_t>& column) {
      if (name == wanted && !column) column = i;
    };
    is("label", label);
    is("text", text);
    is("weight", weight);
    is("id", id);
    is("group", group);
    is("doc", doc);
    if (!chosen.domain) is("domain", domain);
  }
  if (!group) group = doc;
}

}  // namespace megadapt::corpus
