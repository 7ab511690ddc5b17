#include "base/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

namespace megadapt {

std::string NumberRange::text() const {
  const std::string kind = whole ? "a whole number" : "a number";
  const bool bounded = std::isfinite(high) && !(whole && high >= 1e9);
  if (!std::isfinite(low)) return kind;
  if (open_low) {
    return bounded ? fmt::format("{} above {} and below {}", kind, low, high)
                   : fmt::format("{} above {}", kind, low);
  }
  return bounded ? fmt::format("{} from {} to {}", kind, low, high)
                 : fmt::format("{} from {} on", kind, low);
}

void refuse_value(std::string_view name, std::string_view text, const std::string& wanted,
                  const std::string& fix) {
  throw UsageError(fmt::format("--{}: '{}' is not {}", name, text, wanted),
                   fix.empty() ? fmt::format("give --{} {}", name, wanted) : fix);
}

double parse_number(std::string_view name, std::string_view text, const NumberRange& range,
                    const std::string& fix) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool number = error == std::errc() && stop == end && std::isfinite(value);
  const bool inside = (range.open_low ? value > range.low : value >= range.low) &&
                      (range.open_high ? value < range.high : value <= range.high);
  if (!number || !inside || (range.whole && value != std::floor(value))) {
    refuse_value(name, text, range.text(), fix);
  }
  return value;
}

double parse_duration(std::string_view name, std::string_view text) {
  std::string_view number = text;
  double unit = 1;
  for (const auto& [letter, seconds] : {std::pair{'s', 1.0}, {'m', 60.0}, {'h', 3600.0}}) {
    if (!text.ends_with(letter)) continue;
    number.remove_suffix(1);
    unit = seconds;
  }
  double value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || !(value > 0)) {
    refuse_value(name, text, "a time", "write a time such as 90s, 5m or 1h");
  }
  return value * unit;
}

std::size_t parse_choice(std::string_view name, std::string_view text,
                         const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw UsageError(
      fmt::format("--{}: '{}' is not one of {}", name, text, fmt::join(names, ", ")),
      suggest(text, names, fmt::format("use one of {}", fmt::join(names, ", "))));
}

std::string print_number(double value) { return fmt::format("{}", value); }

}  // namespace megadapt
