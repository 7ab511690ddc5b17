#include "cli/options/section.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/messages.hpp"

namespace megadapt::cli {

CLI::Option* Section::choice(const std::string& names, std::string& value,
                             const std::string& help,
                             const std::vector<std::string>& choices) {
  CLI::Option* option = this->value(names, value, help, "");
  restrict_to(option, choices);
  return option;
}

void restrict_to(CLI::Option* option, const std::vector<std::string>& names) {
  option->type_name(fmt::format("{}", fmt::join(names, "|")));
  option->check(CLI::Validator(
      [names](std::string& value) -> std::string {
        if (std::find(names.begin(), names.end(), value) != names.end()) return {};
        const std::string near = closest(value, names);
        return fmt::format("'{}' is not one of {}{}", value, fmt::join(names, ", "),
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
      },
      ""));
}

CLI::Validator number_from(double low, bool open) {
  return CLI::Validator(
      [low, open](std::string& text) -> std::string {
        double value = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, value);
        const bool number = error == std::errc() && stop == end && std::isfinite(value);
        if (number && (open ? value > low : value >= low)) return {};
        return fmt::format("'{}' is not a number {} {}", text, open ? "above" : "from",
                           low) +
               (open ? "" : " on");
      },
      "");
}

}  // namespace megadapt::cli
