#include "corpus/text/word_classes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.hpp"

namespace megadapt {
namespace {

std::string digest_of(const WordClassTable& table) {
  corpus::Sha256 sha;
  const auto add = [&](std::string_view text) {
    sha.add(text.data(), text.size());
    sha.add("\n", 1);
  };
  for (const std::string& column : table.columns) add(column);
  for (const NameIndex* index : {&table.names, &table.words}) {
    add(fmt::format("{}", index->size()));
    for (std::uint32_t i = 0; i < index->size(); ++i) add(index->name(i));
  }
  sha.add(reinterpret_cast<const char*>(table.ids.data()),
          table.ids.size() * sizeof table.ids[0]);
  return sha.finish();
}

std::vector<std::uint32_t> shown_words(const WordClassTable& table) {
  const std::size_t width = table.columns.size();
  std::vector<std::uint32_t> shown(width * table.names.size() * kShownWords, kNone);
  for (std::size_t i = 0; i < table.ids.size(); ++i) {
    if (table.ids[i] == kNone) continue;
    const std::size_t place = i % width * table.names.size() + table.ids[i];
    const auto first = shown.begin() + static_cast<std::ptrdiff_t>(place * kShownWords);
    const auto empty = std::find(first, first + kShownWords, kNone);
    if (empty != first + kShownWords) *empty = static_cast<std::uint32_t>(i / width);
  }
  return shown;
}

}  // namespace

WordClasses::WordClasses(WordClassTable table) {
  table.digest = digest_of(table);
  table.shown = shown_words(table);
  table_ = std::make_shared<const WordClassTable>(std::move(table));
}

std::span<const std::string> WordClasses::columns() const {
  if (empty()) return {};
  return table_->columns;
}

std::size_t WordClasses::num_words() const { return empty() ? 0 : table_->words.size(); }
std::size_t WordClasses::num_names() const { return empty() ? 0 : table_->names.size(); }

std::string_view WordClasses::name(std::uint32_t id) const {
  return table_->names.name(id);
}

std::span<const std::uint32_t> WordClasses::find(std::string_view word) const {
  if (empty()) return {};
  std::uint32_t row = table_->words.find(word);
  if (row == kNone) row = table_->words.find(lower_case(word));
  if (row == kNone) return {};
  const std::size_t width = table_->columns.size();
  return std::span(table_->ids).subspan(row * width, width);
}

std::vector<std::string> WordClasses::examples(std::string_view column,
                                               std::string_view name,
                                               std::size_t count) const {
  std::vector<std::string> words;
  if (empty()) return words;
  const auto at = std::ranges::find(table_->columns, column);
  const std::uint32_t id = table_->names.find(name);
  if (at == table_->columns.end() || id == kNone) return words;
  const std::size_t width = table_->columns.size();
  for (auto i = static_cast<std::size_t>(at - table_->columns.begin());
       i < table_->ids.size() && words.size() < count; i += width) {
    if (table_->ids[i] != id) continue;
    words.emplace_back(table_->words.name(static_cast<std::uint32_t>(i / width)));
  }
  return words;
}

const std::string& WordClasses::digest() const {
  static const std::string none;
  return empty() ? none : table_->digest;
}

std::string class_words(const WordClasses& classes, std::string_view feature) {
  const std::size_t equals = feature.find('=');
  if (classes.empty() || equals == feature.npos) return {};
  const WordClassTable& table = classes.table();
  std::string_view parts = feature.substr(0, equals);
  std::string_view values = feature.substr(equals + 1);
  std::string words;
  const auto take = [](std::string_view& rest) {
    std::size_t end = 0;  // of the part; a '|' within a value is written \|
    while (end < rest.size() && rest[end] != '|') end += rest[end] == '\\' ? 2u : 1u;
    end = std::min(end, rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  while (!parts.empty()) {
    const std::string_view part = take(parts);
    const std::uint32_t id = table.names.find(take(values));
    const auto column = std::ranges::find(table.columns, part.substr(0, part.find('[')));
    if (column == table.columns.end() || id == kNone) continue;
    if (!words.empty()) words += "; ";
    const auto c = static_cast<std::size_t>(column - table.columns.begin());
    const std::size_t place = (c * table.names.size() + id) * kShownWords;
    for (std::size_t i = 0; i < kShownWords && table.shown[place + i] != kNone; ++i) {
      if (i > 0) words += ", ";
      words += table.words.name(table.shown[place + i]);
    }
  }
  return words;
}

std::string class_column_problem(std::string_view name) {
  const bool plain = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c >= 0x80;
  });
  if (!plain) {
    return fmt::format("'{}' cannot be the name of a column of classes", name);
  }
  if (!name.starts_with("class")) {
    return fmt::format("the column '{}' does not begin with 'class'", name);
  }
  return {};
}

}  // namespace megadapt
