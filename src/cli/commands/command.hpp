#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "cli/failures.hpp"
#include "cli/options/common_options.hpp"

namespace megadapt::cli {

/// The result of parsing the command line: the options of every command, and the action to
/// run. Actions run after parsing, so that only parsing throws CLI::ParseError.
struct Context {
  CommonOptions common;
  std::function<int()> action;  ///< returns the exit code
  bool uses_ranks = false;      ///< whether several ranks can share the work
};

void add_train(CLI::App& app, Context& context);
void add_predict(CLI::App& app, Context& context);
void add_eval(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_tune(CLI::App& app, Context& context);
void add_tag(CLI::App& app, Context& context);
void add_recap(CLI::App& app, Context& context);
void add_curve(CLI::App& app, Context& context);
void add_adapt(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_audit(CLI::App& app, Context& context);
void add_next(CLI::App& app, Context& context);
void add_relate(CLI::App& app, Context& context);
void add_features(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_inspect(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_serve(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);
void add_words(CLI::App& app, Context& context);
void add_convert(CLI::App& app, Context& context);
void add_model(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_completion(CLI::App& app, Context& context);

/// Makes `action(*options, common)` run when `command` is chosen. `uses_ranks` says whether
/// several ranks can share the work.
template <class CommandOptions, class Action>
void set_action(CLI::App& command, Context& context,
                std::shared_ptr<CommandOptions> options, Action action,
                bool uses_ranks = false) {
  command.callback([=, &context] {
    context.uses_ranks = uses_ranks;
    context.action = [=, &context] { return action(*options, context.common); };
  });
}

/// Writes `text` to a file or to standard output; returns kSuccess.
int print(std::string_view text, const std::string& path = "-");

/// Adds the command of the name `chosen` with its options, help and example; adds every command
/// if none has that name.
void add_commands(CLI::App& app, Context& context, std::string_view chosen);

}  // namespace megadapt::cli
