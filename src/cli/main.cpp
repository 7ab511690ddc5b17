#include <malloc.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/exit_codes.hpp"
#include "cli/failures.hpp"
#include "cli/help.hpp"
#include "cli/interrupt.hpp"
#include "cli/man_page.hpp"
#include "cli/report_option.hpp"
#include "files/atomic_file.hpp"

namespace megadapt::cli {
namespace {

int write_out(const std::string& text) {
  AtomicFile out("-");
  out.write(text);
  out.commit();
  return kSuccess;
}

// The build calls these to make the files it installs; they are not for users.
void add_generators(CLI::App& app, Context& context) {
  app.add_flag_callback("--generate-man",
                        [&] {
                          app.require_subcommand(0);
                          context.action = [&app] { return write_out(man_page(app)); };
                        })
      ->group("");
  app.add_option_function<std::string>("--generate-completion",
                                       [&](const std::string&) {
                                         app.require_subcommand(0);
                                         context.action = [&app] {
                                           return write_out(bash_completion(app));
                                         };
                                       })
      ->group("")
      ->check(CLI::IsMember({"bash"}));
}

// Training allocates and frees vectors of the same sizes over and over. Keeping them in the
// heap instead of giving each back to the system saves a tenth of the time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int run(int argc, char** argv) {
  keep_freed_memory();
  handle_interrupts();
  CLI::App app("Domain adaptation for statistical classifiers", "megadapt");
  app.formatter(std::make_shared<HelpFormatter>());
  Context context;
  context.common.command_line = shell_command(argc, argv);
  add_commands(app, context);
  app.footer("Run 'megadapt COMMAND --help' for the options and an example of a command.");
  add_generators(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_parse_result(app, error);
  }
  return run_reporting_failures(context.action);
}

}  // namespace
}  // namespace megadapt::cli

int main(int argc, char** argv) { return megadapt::cli::run(argc, argv); }
