#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "megadapt/corpus.hpp"
#include "sentences/attributes.hpp"

namespace megadapt {
namespace {

constexpr std::array<std::string_view, 10> kConllu = {
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"};
constexpr int kMostColumns = 1000;

int parse_column(std::string_view text) {
  if (text == "last") return -1;
  const auto named = std::ranges::find(kConllu, text);
  if (named != kConllu.end()) return static_cast<int>(named - kConllu.begin());
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 ||
      number > kMostColumns) {
    throw UsageError(fmt::format("--columns: '{}' is not a column", text),
                     fmt::format("give a number from 1, 'last', or a column of CoNLL-U: {}",
                                 fmt::join(kConllu, ", ")));
  }
  return number - 1;
}

void check_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
  };
  if (name.empty() || !std::ranges::all_of(name, plain) ||
      (name[0] >= '0' && name[0] <= '9')) {
    throw UsageError(fmt::format("--columns: '{}' cannot be the name of a column", name),
                     "name columns with letters, digits, '-' and '_': token,pos,tag");
  }
  if (features::is_reserved(name)) {
    throw UsageError(
        fmt::format("--columns: '{}' already means something in feature templates", name),
        "call the column by another name");
  }
}

}  // namespace

ColumnChoice ColumnChoice::parse(std::string_view text) {
  ColumnChoice choice;
  int position = 0;
  for (bool more = !text.empty(); more; ++position) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
    if (item == "-") continue;
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    if (name != "token" && name != "tag") check_name(name);
    const auto same = [&](const Column& column) { return column.name == name; };
    if (std::ranges::any_of(choice.columns, same)) {
      throw UsageError(fmt::format("--columns names '{}' twice", name),
                       "give each name once");
    }
    choice.columns.push_back(
        {std::string(name),
         equals == item.npos ? position : parse_column(item.substr(equals + 1))});
  }
  const auto token = [](const Column& column) { return column.name == "token"; };
  if (!choice.empty() && std::ranges::none_of(choice.columns, token)) {
    throw UsageError("--columns names no 'token'", "write for example token,pos,tag");
  }
  return choice;
}

std::string ColumnChoice::text() const {
  std::string all;
  for (const Column& column : columns) {
    if (!all.empty()) all += ',';
    all += column.index < 0 ? column.name + "=last"
                            : fmt::format("{}={}", column.name, column.index + 1);
  }
  return all;
}

std::vector<std::string> ColumnChoice::extra_names() const {
  std::vector<std::string> names;
  for (const Column& column : columns) {
    if (column.name != "token" && column.name != "tag") names.push_back(column.name);
  }
  return names;
}

}  // namespace megadapt
