#include "megam/examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/messages.hpp"
#include "megadapt/error.hpp"

namespace megadapt::megam {
namespace {

constexpr std::string_view kWeight = "$$$WEIGHT";
constexpr std::string_view kListMark = "#";
constexpr std::uint32_t kMostClasses = 65536;  // more are taken for a mistake

corpus::LineReader open_lines(const std::string& path) {
  const std::string name = corpus::display_name(path);
  return {corpus::decompressed(corpus::open_stored(path), name), name};
}

}  // namespace

LineParser::LineParser(const Options& options)
    : options_(options), lines_(open_lines(options.file)) {}

bool LineParser::next(Line& line) {
  while (lines_.next(text_)) {
    const bool blank = corpus::skip_separators(text_).empty();
    if (blank || text_.starts_with('#') || begins_section(text_)) continue;
    parse(text_, line);
    return true;
  }
  return false;
}

bool LineParser::begins_section(std::string_view text) {
  if (text != "DEV" && text != "TEST") return false;
  section_ = text == "DEV" ? Section::dev : Section::test;
  return true;
}

void LineParser::parse(std::string_view text, Line& line) {
  std::string_view rest = corpus::skip_separators(text);
  line.label = corpus::take_field(rest);
  line.weight = 1;
  take_weight(rest, line);
  splitter_.split(rest, fields_);
  line.lists.clear();
  if (!options_.explicit_features) {
    line.lists.push_back(fields_);
  } else if (fields_.empty() || fields_[0].name != kListMark) {
    fail("no # after the label", "with -explicit, write LABEL # FEATURES # FEATURES ...");
  }
  for (const NamedFeature& field : fields_) {
    if (!options_.explicit_features) break;
    if (field.name == kListMark) {
      line.lists.emplace_back();
    } else {
      line.lists.back().push_back(field);
    }
  }
  if (options_.values) {
    for (auto& list : line.lists) pair_up(list);
  }
  if (options_.bias && !options_.explicit_features) {
    line.lists[0].insert(line.lists[0].begin(), {kBias, 1});
  }
}

void LineParser::take_weight(std::string_view& rest, Line& line) const {
  rest = corpus::skip_separators(rest);
  if (!rest.starts_with(kWeight)) return;
  std::string_view after = rest;
  if (corpus::take_field(after) != kWeight) return;
  after = corpus::skip_separators(after);
  if (after.empty()) fail("$$$WEIGHT without a number", "write $$$WEIGHT 2.5");
  const std::string_view number = corpus::take_field(after);
  if (const char* problem = corpus::parse_weight(number, line.weight)) {
    fail(fmt::format("the weight '{}' {}", excerpt(number), problem),
         "write $$$WEIGHT 2.5");
  }
  rest = corpus::skip_separators(after);
}

// FEATURE VALUE FEATURE VALUE ... becomes features with values.
void LineParser::pair_up(std::vector<NamedFeature>& fields) const {
  if (fields.size() % 2 != 0) {
    fail(fmt::format("feature '{}' has no value", excerpt(fields.back().name)),
         "write FEATURE VALUE FEATURE VALUE ...; if features have no values, leave -fvals "
         "out");
  }
  for (std::size_t i = 0; i < fields.size() / 2; ++i) {
    const std::string_view text = fields[2 * i + 1].name;
    fields[i].name = fields[2 * i].name;
    if (const char* problem = corpus::parse_value(text, fields[i].value)) {
      fail(fmt::format("the value '{}' of feature '{}' {}", excerpt(text),
                       excerpt(fields[i].name), problem),
           "write FEATURE VALUE FEATURE VALUE ...");
    }
  }
  fields.resize(fields.size() / 2);
}

std::uint32_t LineParser::class_of(const Line& line) const {
  const std::string_view text = line.label;
  if (text.find(':') != std::string_view::npos && !options_.binary) {
    fail(fmt::format("'{}' has costs in place of a class", excerpt(text)),
         "give every row one class: MEGAM's -multilabel is not supported");
  }
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  const bool is_number = error == std::errc() && stop == end && std::isfinite(number);
  if (options_.binary) {
    if (is_number) return number > 0.5;
    fail(fmt::format("the label '{}' is not a number", excerpt(text)),
         "write 0 or 1; a label above 0.5 is the class 1");
  }
  if (!is_number || number < 0 || number != std::floor(number) || number >= kMostClasses) {
    fail(fmt::format("the label '{}' is not a class from 0 to {}", excerpt(text),
                     kMostClasses - 1),
         options_.explicit_features ? "number the lists of features of a row from 0"
                                    : "number the classes from 0, or use -nc for names");
  }
  const auto label = static_cast<std::uint32_t>(number);
  if (options_.explicit_features && label >= line.lists.size()) {
    fail(fmt::format("the class is {}, but there are features of {} classes", label,
                     line.lists.size()),
         "write a list of features for every class, each after a #");
  }
  return label;
}

void LineParser::fail(const std::string& problem, const std::string& remedy) const {
  throw InputError({lines_.file(), lines_.line_number(), std::string(text_)}, problem,
                   remedy);
}

void append(const Line& line, std::uint32_t label,
            const std::function<std::uint32_t(std::string_view)>& id_of, Examples& to) {
  RowBuilder builder(to.rows);
  std::vector<std::pair<std::uint32_t, float>> row;
  for (const auto& list : line.lists) {
    row.clear();
    for (const NamedFeature& feature : list) {
      const std::uint32_t id = id_of(feature.name);
      if (id != kNone) row.emplace_back(id, feature.value);
    }
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].first == row[i - 1].first) {
        builder.add_to_value(row[i].first, row[i].second);
      } else {
        builder.add(row[i].first, row[i].second);
      }
    }
    builder.end();
  }
  to.begin.push_back(to.rows.size());
  to.label.push_back(label);
  to.weight.push_back(line.weight);
}

}  // namespace megadapt::megam
