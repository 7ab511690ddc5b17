#include "cli/failures.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "base/end_without_memory.hpp"
#include "base/temporary.hpp"
#include "cli/standard_streams.hpp"

namespace megadapt::cli {
namespace {

// Printed as it is: there may be no memory left to format it.
constexpr std::string_view kOutOfMemory =
    "error: out of memory\n"
    "fix: use fewer rows or labels, or --min-count to drop rare features; "
    "docs/reliability.md "
    "says what takes how much\n";

std::atomic<bool> memory_ran_out = false;

int our_fault(const char* what) {
  return failed(kOurFault,
                fmt::format("unexpected: {}\nfix: this is a bug in megadapt {}; please "
                            "report it as CONTRIBUTING.md says, with the command line",
                            what, version()));
}

// The process ends here without unwinding, so no destructor removes temporary files. Nothing
// but system calls is safe. An exception that left a noexcept function of a library cannot
// be looked at, but such functions throw only if memory runs out.
[[noreturn]] void end_uncaught() noexcept {
  unlink_noted_temporaries();
  if (memory_ran_out) {
    tell(kOutOfMemory);
    _exit(kNoResource);
  }
  tell(
      "error: unexpected: an exception that was not caught\n"
      "fix: this is a bug in megadapt; please report it as CONTRIBUTING.md says\n");
  _exit(kOurFault);
}

[[noreturn]] void no_memory() {
  memory_ran_out = true;
  if (EndWithoutMemory::applies()) end_uncaught();
  throw std::bad_alloc();
}

}  // namespace

int failed(ExitCode code, const std::string& text) {
  tell(printable(fmt::format("error: {}\n", text)));
  return code;
}

void report_uncaught() {
  std::set_new_handler(no_memory);
  std::set_terminate(end_uncaught);
  std::signal(SIGABRT, [](int) { unlink_noted_temporaries(); });  // then the process ends
}

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
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::not_enough_memory) return our_fault(error.what());
    tell(kOutOfMemory);
    return kNoResource;
  } catch (const std::exception& error) {
    return our_fault(error.what());
  } catch (...) {
    return our_fault("an exception of unknown type");
  }
}

}  // namespace megadapt::cli
