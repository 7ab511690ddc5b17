#include "cli/options/report_option.hpp"

#include <filesystem>

#include "cli/options/section.hpp"
#include "megadapt/report.hpp"
#include "web/assets.hpp"

namespace megadapt::cli {
namespace {

constexpr std::string_view kPlain =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./=:,+@%";

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

void add_report_option(CLI::App& command, std::string& path) {
  Section(command, "Output")
      .value("--report", path,
             "Also write the result as a web page: one file that opens offline", "FILE");
}

ReportPage::ReportPage(const std::string& path) {
  if (path.empty()) return;
  if (assets().empty()) render_report("", path);  // throws: this build has no page
  file_.emplace(path);
}

void ReportPage::write(const std::string& result) {
  file_->write(render_report(result, "the result"));
  file_->commit();
}

std::string shell_command(int argc, char** argv) {
  std::string line = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "";
  for (int i = 1; i < argc; ++i) line += " " + shell_quoted(argv[i]);
  return line;
}

}  // namespace megadapt::cli
