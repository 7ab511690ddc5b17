#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "base/option_table.hpp"
#include "cli/options/option_tree.hpp"

namespace megadapt::cli {

/// Adds options to one section of a command's help. Arguments get no section.
///
///     Section limits(command, "Limits");
///     limits.value("--max-rows", options.rows, "Rows a request may have", "N",
///                  number_from(1));
class Section {
 public:
  Section(CLI::App& command, std::string name)
      : command_(command), name_(std::move(name)) {}

  /// Adds an option with a value, which help calls `type`. Help shows the default of
  /// numbers and non-empty texts. A list takes one value each time the option is given.
  template <class Value>
  CLI::Option* value(const std::string& names, Value& value, const std::string& help,
                     const std::string& type,
                     const std::optional<CLI::Validator>& check = {}) {
    CLI::Option* option = command_.add_option(names, value, help)->type_name(type);
    if constexpr (std::integral<Value> || std::floating_point<Value> ||
                  std::same_as<Value, std::string>) {
      option->capture_default_str();
    }
    if constexpr (std::same_as<Value, std::vector<std::string>>) {
      option->allow_extra_args(false);
    }
    if (check) option->check(*check);
    return names.starts_with('-') ? option->group(name_) : option;
  }

  /// Adds an option whose value is one of `choices`.
  CLI::Option* choice(const std::string& names, std::string& value, const std::string& help,
                      const std::vector<std::string>& choices);

  CLI::Option* flag(const std::string& names, bool& value, const std::string& help) {
    return command_.add_flag(names, value, help)->group(name_);
  }

 private:
  CLI::App& command_;
  std::string name_;
};

/// Accepts only `names`. Help and completion show them; a near miss gets a suggestion.
void restrict_to(CLI::Option* option, const std::vector<std::string>& names);

/// Accepts finite numbers >= `low`, or > `low` if `open`.
CLI::Validator number_from(double low, bool open = false);

/// Adds an option of a table to a command. The parsed value goes to `values`, which must
/// outlive the command. A bad value throws the table's UsageError.
template <class Values>
CLI::Option* add_table_option(CLI::App& command, const Option<Values>& option,
                              Values& values) {
  const auto take = [&option, &values](const std::string& text) {
    option.field.parse(option.name, values, text);
  };
  const std::string name = "--" + option.name;
  const OptionField<Values>& field = option.field;
  CLI::Option* added = nullptr;
  if (field.type == "bool") {  // --no-NAME if it is on by default
    const bool on = field.print(values)[0] == "true";
    added =
        command.add_flag_callback((on ? "--no-" : "--") + option.name,
                                  [take, on] { take(on ? "false" : "true"); }, option.help);
  } else if (field.repeats) {
    const auto take_all = [take](const std::vector<std::string>& texts) {
      for (const std::string& text : texts) take(text);
    };
    added =
        command.add_option_function<std::vector<std::string>>(name, take_all, option.help)
            ->allow_extra_args(false);
  } else {
    added = command.add_option_function<std::string>(name, take, option.help);
    const std::vector<std::string> usual = field.print(values);
    if (!usual.empty()) added->default_str(usual[0]);
  }
  if (field.type != "bool") {
    added->type_name(field.choices.empty() ? option.metavar
                                           : fmt::to_string(fmt::join(field.choices, "|")));
  }
  if (!option.common) rare(added);
  return added->group(option.group);
}

}  // namespace megadapt::cli
