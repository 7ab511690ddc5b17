// megadapt report: a stored result as one page to look at.

#include "megadapt/report.hpp"

#include <memory>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/exit_codes.hpp"

namespace megadapt::cli {
namespace {

struct ReportOptions {
  std::string result;
  std::string output = "-";
};

int report(const ReportOptions& options) {
  const MappedFile file(options.result);
  const auto bytes = file.bytes();
  const std::string html =
      render_report({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                    options.result == "-" ? "standard input" : options.result);
  AtomicFile out(options.output);
  out.write(html);
  out.commit();
  return kSuccess;
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      new_command(app, "report", "Turn a result of compare or curve into a web page",
                  "megadapt report result.json -o report.html", context.common);
  command
      ->add_option("RESULT", options->result,
                   "What compare --json or curve --json printed, - for standard input")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("-o,--output", options->output,
                   "The page: one HTML file that opens offline, - for standard output")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  command->callback(
      [options, &context] { context.action = [options] { return report(*options); }; });
}

}  // namespace megadapt::cli
