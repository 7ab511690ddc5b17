#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/option_table.hpp"

namespace megadapt::cli {

/// Adds an option of a table to a command; what is typed goes to `values`, which must
/// outlive the command. A bad value is refused by UsageError, in the words of the table.
template <class Values>
CLI::Option* add_table_option(CLI::App& command, const Option<Values>& option,
                              Values& values) {
  const auto take = [&option, &values](const std::string& text) {
    option.field.parse(option.name, values, text);
  };
  const std::string name = "--" + option.name;
  const OptionField<Values>& field = option.field;
  CLI::Option* added = nullptr;
  if (field.type == "bool") {  // --no-NAME where it is on by default
    const bool on = field.print(values)[0] == "true";
    return command
        .add_flag_callback((on ? "--no-" : "--") + option.name,
                           [take, on] { take(on ? "false" : "true"); }, option.help)
        ->group(option.group);
  }
  if (field.repeats) {
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
  return added
      ->type_name(field.choices.empty() ? option.metavar
                                        : fmt::to_string(fmt::join(field.choices, "|")))
      ->group(option.group);
}

}  // namespace megadapt::cli
