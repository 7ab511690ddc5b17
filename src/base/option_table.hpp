#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/messages.hpp"

namespace megadapt {

/// The numbers that an option accepts. Infinities and NaN are always refused.
struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;   ///< `low` itself is refused
  bool open_high = false;  ///< `high` itself is refused
  bool whole = false;

  std::string text() const;  ///< "a number above 0", "a whole number from 1 on"
};

constexpr NumberRange above(double low) { return {.low = low, .open_low = true}; }
constexpr NumberRange at_least(double low) { return {.low = low}; }
constexpr NumberRange between(double low, double high) {
  return {.low = low, .high = high};
}
constexpr NumberRange strictly_between(double low, double high) {
  return {.low = low, .high = high, .open_low = true, .open_high = true};
}
constexpr NumberRange whole_from(int low, int high = 1'000'000'000) {
  return {
      .low = static_cast<double>(low), .high = static_cast<double>(high), .whole = true};
}

/// How tuning changes an option: by trying choices, by a factor up and down, or not at all.
struct HowTuned {
  std::vector<std::string> choices = {};
  double factor = 0;
};

inline HowTuned by_factor(double factor) { return {.choices = {}, .factor = factor}; }
inline HowTuned one_of(std::vector<std::string> choices) {
  return {.choices = std::move(choices), .factor = 0};
}

/// Throws UsageError: "--NAME: 'TEXT' is not WANTED", with a remedy.
[[noreturn]] void refuse_value(std::string_view name, std::string_view text,
                               const std::string& wanted, const std::string& fix = {});
double parse_number(std::string_view name, std::string_view text, const NumberRange& range,
                    const std::string& fix = {});
/// Returns the seconds in "90", "90s", "5m" or "1.5h"; throws UsageError for any other text.
double parse_duration(std::string_view name, std::string_view text);
/// Returns the index of `text` in `names`; throws UsageError when it is not there.
std::size_t parse_choice(std::string_view name, std::string_view text,
                         const std::vector<std::string>& names);
/// The shortest text that reads as the same number.
std::string print_number(double value);

/// How the text of an option is parsed into a struct of values, and printed from it.
/// `print` returns no text when the option has no value and several when it was repeated;
/// parsing those texts gives the same values again.
template <class Values>
struct OptionField {
  std::function<void(std::string_view name, Values&, std::string_view text)> parse;
  std::function<std::vector<std::string>(const Values&)> print;
  std::string type;                       ///< for Python: "float", "int", "str", ...
  std::string accepts = {};               ///< "a number above 0"
  std::vector<std::string> choices = {};  ///< accepted names; empty when not a choice
  bool repeats = false;
};

/// One option: the only place where its name, help and type are written down.
template <class Values>
struct Option {
  std::string name;  ///< as on the command line, without the dashes
  OptionField<Values> field;
  std::string metavar = {};  ///< stands for the value in the help text; "" for a choice
  std::string help = {};
  HowTuned tuned = {};
  bool common = false;     ///< shown by --help; --help-all shows all options
  std::string group = {};  ///< filled in by the table
};

namespace option_detail {

template <class T>
struct Unwrapped {
  using type = T;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  using type = T;
};

/// Prints a field; an empty std::optional gives no text.
template <class T, class Print>
std::vector<std::string> print_if_given(const T& value, const Print& print) {
  return {print(value)};
}
template <class T, class Print>
std::vector<std::string> print_if_given(const std::optional<T>& value, const Print& print) {
  if (!value) return {};
  return {print(*value)};
}

}  // namespace option_detail

/// Makes an OptionField. `access` is a pointer to a member of `Values`, or a function from
/// the struct to the field. `parse(name, text)` returns its value, `print(value)` the text.
template <class Values, class Access, class Parse, class Print>
OptionField<Values> field_of(Access access, Parse parse, Print print, std::string type,
                             std::string accepts) {
  return {.parse =
              [=](std::string_view name, Values& values, std::string_view text) {
                std::invoke(access, values) = parse(name, text);
              },
          .print =
              [=](const Values& values) {
                return option_detail::print_if_given(std::invoke(access, values), print);
              },
          .type = std::move(type),
          .accepts = std::move(accepts)};
}

template <class Values, class Access>
OptionField<Values> number_by(Access access, const NumberRange& range) {
  using Field = std::remove_cvref_t<std::invoke_result_t<Access, Values&>>;
  using Number = typename option_detail::Unwrapped<Field>::type;
  constexpr bool is_optional = !std::is_same_v<Field, Number>;
  return field_of<Values>(
      access,
      [range](std::string_view name, std::string_view text) {
        std::string fix;  // empty: the default remedy
        if (is_optional) {
          fix = "give --" + std::string(name) + " " + range.text() + ", or leave it out";
        }
        return static_cast<Number>(parse_number(name, text, range, fix));
      },
      [](Number value) { return print_number(static_cast<double>(value)); },
      std::is_floating_point_v<Number> ? "float" : "int", range.text());
}
template <class Values, class T>
OptionField<Values> number(T Values::*field, NumberRange range) {
  return number_by<Values>(field, range);
}

/// An option that takes one of a few named values.
template <class Values, class T, class Value>
OptionField<Values> choice(T Values::*access,
                           std::vector<std::pair<std::string, Value>> named) {
  std::vector<std::string> names;
  for (const auto& [name, value] : named) names.push_back(name);
  OptionField<Values> field = field_of<Values>(
      access,
      [named, names](std::string_view name, std::string_view text) {
        return named[parse_choice(name, text, names)].second;
      },
      [named](const Value& value) {
        for (const auto& [name, known] : named) {
          if (known == value) return name;
        }
        return std::string("unknown");
      },
      "str", {});
  field.choices = names;
  return field;
}

/// The options of a struct of plain values, in the order of --help.
template <class Values>
class OptionTable {
 public:
  using Names = std::vector<std::string>;
  using Record = std::vector<std::pair<std::string, std::string>>;

  /// Options by group, each group with its name.
  using Groups = std::vector<std::pair<std::string, std::vector<Option<Values>>>>;

  explicit OptionTable(const Groups& groups) {
    for (const auto& [name, options] : groups) {
      for (const Option<Values>& option : options) {
        options_.push_back(option);
        options_.back().group = name;
      }
    }
  }

  auto begin() const { return options_.begin(); }
  auto end() const { return options_.end(); }

  /// Returns the option `name`. Throws UsageError with a suggestion when it is unknown.
  const Option<Values>& find(std::string_view name) const {
    Names names;
    for (const Option<Values>& option : options_) {
      if (option.name == name) return option;
      names.push_back(option.name);
    }
    throw UsageError("no system has the option '" + std::string(name) + "'",
                     suggest(name, names, "'megadapt train --help-all' lists the options"));
  }

  /// Sets one option from text. Throws UsageError about --NAME when the value is bad.
  void set(Values& values, std::string_view name, std::string_view text) const {
    const Option<Values>& option = find(name);
    option.field.parse(option.name, values, text);
  }

  /// The values of the options `names`, in table order; those without a value are left out.
  Record record(const Values& values, const Names& names) const {
    Record all;
    for (const Option<Values>& option : options_) {
      if (std::find(names.begin(), names.end(), option.name) == names.end()) continue;
      for (std::string& text : option.field.print(values)) {
        all.emplace_back(option.name, std::move(text));
      }
    }
    return all;
  }

  /// Throws UsageError when a value is out of range, as one set from C++ may be.
  void check(const Values& values) const {
    Values scratch = values;
    for (const Option<Values>& option : options_) {
      for (const std::string& text : option.field.print(values)) {
        option.field.parse(option.name, scratch, text);
      }
    }
  }

 private:
  std::vector<Option<Values>> options_;
};

}  // namespace megadapt
