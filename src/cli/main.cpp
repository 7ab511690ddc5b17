#include <fmt/format.h>
#include <fmt/ranges.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "base/atomic_file.hpp"
#include "cli/commands/command.hpp"
#include "cli/failures.hpp"
#include "cli/interrupt.hpp"
#include "cli/options/distinct_files.hpp"
#include "cli/options/option_tree.hpp"
#include "cli/options/report_option.hpp"
#include "cli/parse_failures.hpp"
#include "cli/standard_streams.hpp"
#include "cli/text/help.hpp"
#include "execution/metered_ranks.hpp"
#include "megadapt/error.hpp"
#include "mpi/job.hpp"

namespace megadapt::cli {
namespace {

int write_man_pages(const CLI::App& app, const std::string& folder) {
  for (const ManPage& page : man_pages(app)) {
    AtomicFile file(folder + "/" + page.name + ".1");
    file.write(page.text);
    file.commit();
  }
  return kSuccess;
}

// Adds an option that the build uses to make installed files; users do not see it.
void add_generator(CLI::App& app, Context& context) {
  app.add_option_function<std::string>("--generate-man",
                                       [&](const std::string& folder) {
                                         app.require_subcommand(0);
                                         context.action = [&app, folder] {
                                           return write_man_pages(app, folder);
                                         };
                                       })
      ->group("");
}

// Training allocates and frees vectors of the same sizes again and again. Keeping them in
// the heap instead of returning each to the system saves a tenth of the time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

// A failure on all ranks, such as a wrong option, is reported by the first rank only: the
// others wait, and the job ends before they could report it.
int in_turn(int rank, const std::function<int()>& action) {
  try {
    return action();
  } catch (...) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500) * std::min(rank, 6));
    throw;
  }
}

// bench/scaling.py reads this line.
void tell_sums(const MeteredRanks& ranks, const CommonOptions& common) {
  std::vector<std::string> sizes;
  for (const auto& [bytes, count] : ranks.sums()) {
    sizes.push_back(fmt::format("{} x {} bytes", count, bytes));
  }
  common.detail("sums over ranks: {}", fmt::join(sizes, ", "));
}

// Runs the chosen command on this rank.
int act(Job& job, const CLI::App& app, Context& context) {
  MeteredRanks ranks(job.ranks());
  CommonOptions& common = context.common;
  if (ranks.size() > 1) {
    if (!context.uses_ranks) {
      throw UsageError(
          fmt::format("'megadapt {}' does not run on several ranks",
                      app.get_subcommands().front()->get_name()),
          "start it without mpirun; train, compare and tune by folds can use ranks");
    }
    if (common.threads == 0) {
      const int cores = static_cast<int>(std::thread::hardware_concurrency());
      common.threads = std::max(1, cores / job.ranks_here());
    }
  }
  common.ranks = &ranks;
  if (!common.speaks()) {
    common.quiet = true;
    common.verbose = false;
  }
  if (common.speaks()) refuse_shared_files(chosen_command(app));
  const int code = context.action();
  if (ranks.size() > 1) tell_sums(ranks, common);
  return code;
}

// Parses the command line and runs its command. All ranks have the same command line, so a
// mistake in it ends them all in the same way, and only rank 0 reports it. No rank may abort
// then: Open MPI's mpirun can hang if one rank aborts while the others leave.
int run(Job& job, int argc, char** argv) {
  CLI::App app("Domain adaptation for statistical classifiers", "megadapt");
  app.formatter(std::make_shared<HelpFormatter>());
  Context context;
  context.common.command_line = shell_command(argc, argv);
  add_commands(app, context, argc > 1 ? argv[1] : "");
  app.footer("Run 'megadapt COMMAND --help' for the options and an example of a command.");
  add_generator(app, context);
  const int rank = job.ranks().rank();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return rank == 0 ? report_parse_result(app, error) : kSuccess;
  } catch (const Error&) {  // a bad value of an option
    return rank == 0 ? run_reporting_failures([]() -> int { throw; }) : kSuccess;
  }
  const int code = run_reporting_failures(
      [&] { return in_turn(rank, [&] { return act(job, app, context); }); });
  // If one rank fails, the whole job ends.
  if (code != kSuccess && job.ranks().size() > 1) job.abort(code);
  return code;
}

int run(int argc, char** argv) {
  keep_freed_memory();
  handle_interrupts();
  std::unique_ptr<Job> job;
  const int joined = run_reporting_failures([&] {
    try {
      job = Job::join();
    } catch (const Error&) {
      if (launched_rank() == 0) throw;  // rank 0 reports it for all
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return static_cast<int>(kBadInput);
    }
    return static_cast<int>(kSuccess);
  });
  if (!job) return joined;
  if (job->ranks().size() > 1) leave_interrupts_to_launcher();
  return run(*job, argc, argv);
}

}  // namespace
}  // namespace megadapt::cli

int main(int argc, char** argv) {
  megadapt::cli::occupy_standard_streams();
  megadapt::cli::report_uncaught();
  return megadapt::cli::run_reporting_failures(
      [&] { return megadapt::cli::run(argc, argv); });
}
