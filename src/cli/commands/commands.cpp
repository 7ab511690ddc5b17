#include "cli/commands/command.hpp"

namespace megadapt::cli {

void add_commands(CLI::App& app, Context& context) {
  add_common_options(app, context.common);
  app.require_subcommand(1);
  add_train(app, context);
  add_predict(app, context);
  add_eval(app, context);
  add_compare(app, context);
  add_tune(app, context);
  add_tag(app, context);
  add_recap(app, context);
  add_curve(app, context);
  add_relate(app, context);
  add_adapt(app, context);
  add_features(app, context);
  add_explain(app, context);
  add_inspect(app, context);
  add_report(app, context);
  add_serve(app, context);
  add_data(app, context);
  add_convert(app, context);
  add_model(app, context);
}

}  // namespace megadapt::cli
