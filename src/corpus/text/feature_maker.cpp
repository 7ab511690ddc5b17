#include "corpus/text/feature_maker.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"
#include "corpus/columns.hpp"
#include "corpus/fields.hpp"
#include "corpus/text/text_features.hpp"

namespace megadapt::corpus {
namespace {

// No word of a text contains a bracket, and a column is not both a number and a category.
constexpr std::string_view kNumber = "=(number)";

}  // namespace

FeatureMaker::FeatureMaker(const TextOptions& text, const ColumnNames& columns)
    : options_(text), hasher_(text.hash_bits) {
  for (const std::string& name : columns.numbers) {
    numbers_.push_back({name, name + std::string(kNumber)});
  }
  for (const std::string& name : columns.categories) categories_.push_back({name, {}});
}
FeatureMaker::~FeatureMaker() = default;
FeatureMaker::FeatureMaker(FeatureMaker&&) noexcept = default;

std::string FeatureMaker::add_columns(Row& row, const GetColumn& get) {
  row.features.clear();
  for (const Column& number : numbers_) {
    const std::string_view text = trimmed(get(number.column).value_or(""));
    if (text.empty()) continue;
    float value = 0;
    if (const char* problem = parse_value(text, value)) {
      return fmt::format("'{}' in the column '{}' {}", excerpt(text), number.column,
                         problem);
    }
    row.features.push_back({number.feature, value});
    row.has_values = true;
  }
  for (Column& category : categories_) {
    const std::string_view text = trimmed(get(category.column).value_or(""));
    if (text.empty()) continue;
    category.feature = category.column;
    category.feature += '=';
    category.feature += text;
    row.features.push_back({category.feature, 1});
  }
  row.columns = row.features.size();
  return {};
}

void FeatureMaker::make(Row& row) {
  if (row.from_text) {
    if (!text_) text_ = std::make_unique<TextFeatures>(options_);
    text_->append(row.text, row.features);
    row.has_values |= options_.weights != TextWeights::binary;
  }
  hasher_.rename(std::span(row.features).subspan(row.columns));
  row.unmade = false;
}

std::vector<std::string> feature_columns(const ColumnNames& columns) {
  std::vector<std::string> names = columns.numbers;
  names.insert(names.end(), columns.categories.begin(), columns.categories.end());
  return names;
}

bool is_number_feature(std::string_view name, const ColumnNames& columns) {
  if (!name.ends_with(kNumber)) return false;
  name.remove_suffix(kNumber.size());
  return std::ranges::find(columns.numbers, name) != columns.numbers.end();
}

bool is_category_feature(std::string_view name, const ColumnNames& columns) {
  return std::ranges::any_of(columns.categories, [&](const std::string& column) {
    return name.size() > column.size() && name.starts_with(column) &&
           name[column.size()] == '=';
  });
}

}  // namespace megadapt::corpus
