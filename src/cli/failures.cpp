#include "cli/failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <vector>

#include "base/messages.hpp"
#include "base/temporary.hpp"
#include "cli/commands/command.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/option_tree.hpp"
#include "cli/standard_streams.hpp"

namespace megadapt::cli {
namespace {

// Printed as it is: there may be no memory left to format it.
constexpr std::string_view kOutOfMemory =
    "error: out of memory\n"
    "fix: use fewer rows or labels, or --min-count to drop rare features; "
    "docs/reliability.md "
    "says what takes how much\n";

int failed(ExitCode code, const std::string& text) {
  tell(printable(fmt::format("error: {}\n", text)));
  return code;
}

int our_fault(const char* what) {
  return failed(kOurFault,
                fmt::format("unexpected: {}\nfix: this is a bug in megadapt {}; please "
                            "report it as CONTRIBUTING.md says, with the command line",
                            what, version()));
}

std::vector<std::string> known_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* sub : subcommands(command)) words.push_back(sub->get_name());
  for (const auto& [group, options] : option_groups(command)) {
    for (const CLI::Option* option : options) {
      for (const std::string& name : option_names(*option)) words.push_back(name);
    }
  }
  return words;
}

// The remedy for a file that stands where the command takes none; empty if this is no file.
std::string file_remedy(const std::string& word, const CLI::App& command) {
  const auto takes = [&](const char* name) {
    return command.get_option_no_throw(name) != nullptr;
  };
  if (word.ends_with(".json") && takes("--json") && !std::filesystem::exists(word)) {
    return fmt::format("--json writes to standard output: add '> {}'", word);
  }
  if (takes("--domain") && std::filesystem::is_regular_file(word)) {
    return fmt::format("name the domain of the file: --domain NAME={}", word);
  }
  return {};
}

// The process ends here without unwinding, so no destructor removes temporary files. Nothing
// but system calls is safe.
[[noreturn]] void end_uncaught() noexcept {
  unlink_noted_temporaries();
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    tell(kOutOfMemory);
    _exit(kNoResource);
  } catch (...) {
  }
  tell(
      "error: unexpected: an exception that was not caught\n"
      "fix: this is a bug in megadapt; please report it as CONTRIBUTING.md says\n");
  _exit(kOurFault);
}

}  // namespace

void report_uncaught() { std::set_terminate(end_uncaught); }

int run_reporting_failures(const std::function<int()>& action) {
  try {
    return action();
  } catch (const ModelFileError& error) {
    return failed(kBadModel, error.what());
  } catch (const NotConverged& error) {
    return failed(kCheckFailed, error.what());
  } catch (const CheckFailed& error) {
    return failed(kCheckFailed, error.what());
  } catch (const ResourceError& error) {
    return failed(kNoResource, error.what());
  } catch (const Interrupted& error) {
    return failed(kInterrupted, error.what());
  } catch (const Error& error) {
    // InputError, UsageError or NumericError. A numeric overflow comes from the data or
    // from an option such as --variance, so the user can fix it.
    return failed(kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    tell(kOutOfMemory);
    return kNoResource;
  } catch (const std::exception& error) {
    return our_fault(error.what());
  } catch (...) {
    return our_fault("an exception of unknown type");
  }
}

int report_parse_result(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  if (dynamic_cast<const CLI::CallForHelp*>(&error)) {
    return run_reporting_failures([&] { return print(command.help()); });
  }
  if (dynamic_cast<const CLI::CallForAllHelp*>(&error)) {
    return run_reporting_failures(
        [&] { return print(command.help("", CLI::AppFormatMode::All)); });
  }
  if (dynamic_cast<const CLI::CallForVersion*>(&error))
    return run_reporting_failures([&] { return print(error.what() + std::string("\n")); });

  std::string problem = error.what();
  std::string fix = fmt::format("see '{} --help'", full_name(command));
  const std::vector<std::string> unknown = app.remaining(true);
  if (!unknown.empty()) {
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    const bool names_command = !subcommands(command).empty() && word[0] != '-';
    problem = fmt::format("{} '{}'",
                          names_command    ? "unknown command"
                          : word[0] == '-' ? "unknown option"
                                           : "unexpected argument",
                          excerpt(word));
    const std::string near = closest(word, known_words(command));
    if (const std::string remedy = file_remedy(unknown.front(), command); !remedy.empty()) {
      fix = remedy;
    } else if (!near.empty()) {
      fix = fmt::format("did you mean '{}'? {}", near, fix);
    }
  } else if (command.get_parent() == nullptr || !subcommands(command).empty()) {
    std::vector<std::string> names;
    for (const CLI::App* sub : subcommands(command)) names.push_back(sub->get_name());
    problem = fmt::format("a command is needed: {}", fmt::join(names, ", "));
  }
  return failed(kBadInput, problem + "\nfix: " + fix);
}

}  // namespace megadapt::cli
