#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"

namespace megadapt::cli {

int print(std::string_view text, const std::string& path) {
  AtomicFile out(path);
  out.write(text);
  out.commit();
  return kSuccess;
}

void add_commands(CLI::App& app, Context& context) {
  add_common_options(app, context.common);
  app.require_subcommand(1);
  for (auto* add :
       {add_train, add_predict,  add_eval,    add_compare, add_tune,   add_tag,
        add_recap, add_curve,    add_relate,  add_adapt,   add_diff,   add_audit,
        add_next,  add_features, add_explain, add_inspect, add_report, add_serve,
        add_data,  add_words,    add_convert, add_model,   add_doctor, add_completion}) {
    add(app, context);
  }
}

}  // namespace megadapt::cli
