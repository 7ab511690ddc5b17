#include <algorithm>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"

namespace megadapt::cli {

int print(std::string_view text, const std::string& path) {
  AtomicFile out(path);
  out.write(text);
  out.commit();
  return kSuccess;
}

namespace {

struct Command {
  std::string_view name;
  void (*add)(CLI::App&, Context&);
};

constexpr Command kCommands[] = {
    {"train", add_train},     {"predict", add_predict},   {"eval", add_eval},
    {"compare", add_compare}, {"tune", add_tune},         {"tag", add_tag},
    {"recap", add_recap},     {"curve", add_curve},       {"relate", add_relate},
    {"adapt", add_adapt},     {"diff", add_diff},         {"audit", add_audit},
    {"next", add_next},       {"features", add_features}, {"explain", add_explain},
    {"inspect", add_inspect}, {"report", add_report},     {"serve", add_serve},
    {"data", add_data},       {"words", add_words},       {"convert", add_convert},
    {"model", add_model},     {"doctor", add_doctor},     {"completion", add_completion}};

}  // namespace

void add_commands(CLI::App& app, Context& context, std::string_view chosen) {
  add_common_options(app, context.common);
  app.require_subcommand(1);
  // To make the options of every command takes half of the time that the program needs to
  // start. So make those of the chosen command alone, unless it is `completion`, which
  // needs all.
  const auto* one = std::ranges::find(kCommands, chosen, &Command::name);
  if (one != std::end(kCommands) && one->add != add_completion) {
    return one->add(app, context);
  }
  for (const Command& command : kCommands) command.add(app, context);
}

}  // namespace megadapt::cli
