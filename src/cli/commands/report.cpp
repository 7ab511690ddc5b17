// megadapt report: renders a stored result as one HTML page.

#include "megadapt/report.hpp"

#include "base/mapped_file.hpp"
#include "cli/commands/command.hpp"

namespace megadapt::cli {
namespace {

struct ReportOptions {
  std::string result;
  std::string output = "-";
};

int report(const ReportOptions& options, const CommonOptions&) {
  return print(render_report(MappedFile(options.result).text(),
                             options.result == "-" ? "standard input" : options.result),
               options.output);
}

}  // namespace

void add_report(CLI::App& app, Context& context) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = new_command(
      app, "report", "Turn a result of compare, curve or relate into a web page",
      "megadapt report result.json -o report.html", context.common);
  Section output(*command, "Output");
  output
      .value("RESULT", options->result,
             "Output of compare, curve or relate with --json, - for standard input", "FILE")
      ->required();
  output.value("-o,--output", options->output,
               "One HTML file that opens offline, - for standard output", "FILE");
  set_action(*command, context, options, report);
}

}  // namespace megadapt::cli
