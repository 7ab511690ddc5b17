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

std::vector<std::pair<std::string_view, std::string>> named_columns(
    const ColumnNames& chosen) {
  std::vector<std::pair<std::string_view, std::string>> named;
  const auto add = [&](std::string_view option, const std::optional<std::string>& name) {
    if (name) named.emplace_back(option, *name);
  };
  add("label-column", chosen.label);
  for (const std::string& name : chosen.text) named.emplace_back("text-column", name);
  add("group-column", chosen.group);
  add("id-column", chosen.id);
  add("weight-column", chosen.weight);
  add("domain-column", chosen.domain);
  for (const std::string& name : chosen.numbers) named.emplace_back(kNumberColumns, name);
  for (const std::string& name : chosen.categories) {
    named.emplace_back(kCategoryColumns, name);
  }
  return named;
}

ColumnNames with_asked(ColumnNames columns, const ColumnNames& asked) {
  if (asked.label) columns.label = asked.label;
  if (!asked.text.empty()) columns.text = asked.text;
  if (asked.group) columns.group = asked.group;
  if (asked.id) columns.id = asked.id;
  if (asked.weight) columns.weight = asked.weight;
  if (asked.domain) columns.domain = asked.domain;
  return columns;
}

std::vector<std::string> asked_options(const ColumnNames& asked) {
  std::vector<std::string> options;
  for (const auto& [option, name] : named_columns(asked)) options.emplace_back(option);
  return options;
}

Columns::Columns(std::span<const std::string_view> header, const ReadOptions& options) {
  for (const std::string_view name : header) names.emplace_back(trimmed(name));
  using Usual = UsualNames;
  const ColumnNames& chosen = options.columns;
  const auto one = [&](std::string_view option, const std::optional<std::string>& name,
                       std::initializer_list<std::string_view> usual) {
    return find(option, name, usual, options.needs_column(option));
  };
  label = one("label-column", chosen.label, {Usual::kLabel});
  find_text(chosen.text, options.needs_column("text-column"));
  group = one("group-column", chosen.group, {Usual::kGroup, Usual::kDocument});
  id = one("id-column", chosen.id, {Usual::kId});
  weight = one("weight-column", chosen.weight, {Usual::kWeight});
  domain = one("domain-column", chosen.domain, {Usual::kDomain});
  find_features(kNumberColumns, chosen.numbers);
  find_features(kCategoryColumns, chosen.categories);
}

std::optional<std::size_t> Columns::find(std::string_view option,
                                         const std::optional<std::string>& chosen,
                                         std::initializer_list<std::string_view> usual,
                                         bool needed) {
  if (chosen) {
    if (const auto found = find_exactly(*chosen)) return found;
    missing.emplace_back(option, *chosen);
    if (needed) return std::nullopt;
  }
  for (const std::string_view name : usual) {
    if (const auto found = find_in_any_case(name)) return found;
  }
  return std::nullopt;
}

void Columns::find_features(std::string_view option,
                            const std::vector<std::string>& chosen) {
  for (const std::string& name : chosen) {
    if (const auto found = find_exactly(name)) {
      features[name] = *found;
    } else {
      missing.emplace_back(option, name);
    }
  }
}

void Columns::find_text(const std::vector<std::string>& chosen, bool needed) {
  for (const std::string& name : chosen) {
    if (const auto found = find_exactly(name)) {
      text.push_back(*found);
    } else {
      missing.emplace_back("text-column", name);
    }
  }
  if (!chosen.empty() && (!text.empty() || needed)) return;
  if (const auto found = find_in_any_case(UsualNames::kText)) text.push_back(*found);
}

std::optional<std::size_t> Columns::find_exactly(std::string_view name) {
  return find_one(name, [&](const std::string& own) { return own == name; });
}

std::optional<std::size_t> Columns::find_in_any_case(std::string_view name) {
  return find_one(name, [&](const std::string& own) {
    return std::ranges::equal(own, name, {}, lower);
  });
}

std::optional<std::size_t> Columns::find_one(std::string_view name, auto is_called) {
  const auto found = std::ranges::find_if(names, is_called);
  if (found == names.end()) return std::nullopt;
  if (std::find_if(found + 1, names.end(), is_called) != names.end()) {
    repeated.emplace_back(name);
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace megadapt::corpus

namespace megadapt {

bool ReadOptions::needs_column(std::string_view option) const {
  return needs_columns || std::ranges::find(needed_columns, option) != needed_columns.end();
}

}  // namespace megadapt
