// megadapt doctor: checks that this program works on this machine.

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "base/processor.hpp"
#include "cli/commands/command.hpp"
#include "cli/text/reports.hpp"
#include "container/container.hpp"
#include "downloads/corpora.hpp"
#include "downloads/run_program.hpp"
#include "evaluation/self_test.hpp"
#include "megadapt/error.hpp"
#include "mpi/job.hpp"

namespace megadapt::cli {
namespace {

struct Check {
  std::string name;
  bool ok = true;
  std::string detail;
};

Check check_version() {
  return {"version", true,
          fmt::format("megadapt {}; reads model files up to format {}", version(),
                      kFormatVersion)};
}

Check check_processor() {
  const auto yes_no = [](bool has) { return has ? "yes" : "no"; };
  const ProcessorFeatures features = processor_features();
  const char* kernels = use_avx2() ? "avx2" : "baseline";
  const char* forced = std::getenv("MEGADAPT_FORCE_KERNELS");
  return {"processor", true,
          fmt::format("AVX2 {}, FMA {}; kernels: {}{}", yes_no(features.avx2),
                      yes_no(features.fma), kernels,
                      forced && *forced ? " (MEGADAPT_FORCE_KERNELS)" : "")};
}

Check check_threads(const CommonOptions& common) {
  const int threads = Execution(common.threads).threads();
  return {"threads", threads > 0,
          fmt::format("{} of {}", threads,
                      counted(std::thread::hardware_concurrency(), "core"))};
}

Check check_mpi() {
  return {"mpi", true, has_mpi() ? "built in" : "not built in: one process only"};
}

// The package is optional, so a missing package is not a failure. Python starts in a folder
// without modules, because it would take a folder called megadapt for the package.
Check check_python() {
  const auto result = downloads::run_program(
      {"python3", "-c", "import megadapt; print(megadapt.__version__)"}, "/");
  if (result.exit_code != 0) {
    return {"python", true, "the python3 on PATH has no megadapt package (optional)"};
  }
  const std::string found = result.output.substr(0, result.output.find('\n'));
  return {"python", true,
          found == version()
              ? fmt::format("package megadapt {}", found)
              : fmt::format("package megadapt {}, not the version of this program", found)};
}

// Writes a file as every command does, and removes it.
Check check_writing(const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / fmt::format("megadapt-doctor-{}", getpid());
  try {
    AtomicFile probe(file.string());
    probe.write("written by megadapt doctor\n");
    probe.commit();
    std::filesystem::remove(file);
    return {name, true, fmt::format("{} can be written", folder.string())};
  } catch (const Error& error) {
    return {name, false, error.headline()};
  } catch (const std::filesystem::filesystem_error& error) {
    return {name, false, error.what()};
  }
}

// `data fetch` makes the folder of the cache, so look at the nearest folder that exists.
Check check_cache() {
  std::filesystem::path folder;
  try {
    folder = downloads::cache_folder();
  } catch (const Error& error) {
    return {"cache", false, error.headline()};
  }
  while (!std::filesystem::exists(folder) && folder.has_relative_path()) {
    folder = folder.parent_path();
  }
  return check_writing("cache", folder);
}

Check check_system(const SelfTest& test) {
  return {"self-test " + test.system, test.ok(),
          fmt::format("accuracy {:.4f}, expected {:.4f}; log loss {:.5f}, expected {:.5f}",
                      test.accuracy, test.expected_accuracy, test.log_loss,
                      test.expected_log_loss)};
}

std::vector<Check> all_checks(const CommonOptions& common) {
  std::vector<Check> checks{
      check_version(),
      check_processor(),
      check_threads(common),
      check_mpi(),
      check_python(),
      check_writing("working directory", "."),
      check_writing("temporary directory", std::filesystem::temp_directory_path()),
      check_cache()};
  for (const SelfTest& test : run_self_test(Execution(common.threads))) {
    checks.push_back(check_system(test));
  }
  return checks;
}

struct NoOptions {};

int examine(const NoOptions&, const CommonOptions& common) {
  bool ok = true;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::string lines;
  for (const auto& [name, passed, detail] : all_checks(common)) {
    ok = ok && passed;
    list.push_back({{"name", name}, {"ok", passed}, {"detail", detail}});
    lines += beside(fmt::format("{:<8}{:<21}", passed ? "ok" : "FAILED", name), detail);
  }
  lines += ok ? "all is well\n" : "some checks failed\n";
  const nlohmann::ordered_json json{{"ok", ok}, {"checks", list}};
  print(common.json ? json_text(json, 2) + "\n" : lines);
  return ok ? kSuccess : kCheckFailed;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  CLI::App* command =
      new_command(app, "doctor", "Check that the program works on this machine",
                  "megadapt doctor", context.common);
  set_action(*command, context, std::make_shared<NoOptions>(), examine);
}

}  // namespace megadapt::cli
