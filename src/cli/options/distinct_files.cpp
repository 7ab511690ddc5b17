#include "cli/options/distinct_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "cli/options/input_options.hpp"
#include "cli/options/option_tree.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {
namespace {

// The options that name a file to write; every other option that takes a file reads it.
constexpr std::array<std::string_view, 5> kWritten = {"output", "report", "trace",
                                                      "checkpoint", "vocabulary"};

bool is_written(const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  return std::any_of(kWritten.begin(), kWritten.end(), [&](std::string_view written) {
    return std::find(names.begin(), names.end(), written) != names.end();
  });
}

std::vector<std::string> files_of(const CLI::Option& option) {
  std::vector<std::string> values = option.results();
  if (values.empty() && !option.get_default_str().empty()) {
    values.push_back(option.get_default_str());
  }
  if (value_name(option) != "NAME=FILE") return values;
  std::vector<std::string> files;
  for (const DomainFile& file : domain_files(values)) files.push_back(file.file);
  return files;
}

// Returns a text that two paths share only if they are one file. Returns "" for what cannot
// be overwritten: pipes, terminals and devices.
std::string identity(const std::string& path, bool written) {
  struct stat status {};
  const bool standard = path == "-";
  const int found = standard ? fstat(written ? STDOUT_FILENO : STDIN_FILENO, &status)
                             : stat(path.c_str(), &status);
  if (found == 0 && S_ISREG(status.st_mode)) {
    return fmt::format("{}:{}", status.st_dev, status.st_ino);
  }
  if (standard) return written ? "-" : "";
  std::error_code ignored;
  return found == 0 ? ""
                    : std::filesystem::weakly_canonical(
                          std::filesystem::absolute(path, ignored), ignored)
                          .string();
}

struct FileUse {
  std::string option;
  bool written;
};

[[noreturn]] void refuse_second_reader(const std::string& first,
                                       const std::string& second) {
  throw UsageError(first == second
                       ? fmt::format("{} reads standard input twice", first)
                       : fmt::format("{} and {} both read standard input", first, second),
                   "give a file instead of one of them");
}

}  // namespace

void refuse_shared_files(const CLI::App& command) {
  std::map<std::string, FileUse> known;  // by identity
  std::string reader;                    // the option that reads standard input
  for (const CLI::Option* option : command.get_options()) {
    if (!takes_file(*option)) continue;
    const FileUse use{option->get_name(), is_written(*option)};
    for (const std::string& path : files_of(*option)) {
      if (path == "-" && !use.written) {
        if (!reader.empty()) refuse_second_reader(reader, use.option);
        reader = use.option;
      }
      const std::string id = identity(path, use.written);
      if (id.empty()) continue;
      const auto [other, is_new] = known.try_emplace(id, use);
      if (is_new || !(use.written || other->second.written)) continue;
      throw UsageError(fmt::format("{}: {} and {} are the same file",
                                   path == "-" ? "standard output" : path,
                                   other->second.option, use.option),
                       "write to another file");
    }
  }
}

}  // namespace megadapt::cli
