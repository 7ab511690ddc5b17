#include "base/temporary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>

namespace megadapt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = ".megadapt-";
constexpr std::string_view kSuffix = ".tmp";

// Returns the process id in .megadapt-PID-N.tmp, or 0 for any other name.
pid_t owner(std::string_view name) {
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return 0;
  const char* end = name.data() + name.size() - kSuffix.size();
  pid_t process = 0;
  unsigned number = 0;
  const auto first = std::from_chars(name.data() + kPrefix.size(), end, process);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return 0;
  const auto second = std::from_chars(first.ptr + 1, end, number);
  return second.ec == std::errc() && second.ptr == end ? process : 0;
}

// The lock decides between containers, whose process ids mean nothing to each other. The
// process id protects files of version 0.1, which have no lock.
bool may_be_dead(pid_t process) {
  return process > 0 && (process == getpid() || (kill(process, 0) != 0 && errno == ESRCH));
}

bool lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

void remove_if_dead(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool ours = fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
                    (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  if (ours && lock(descriptor)) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  close(descriptor);
}

}  // namespace

std::string temporary_name(const std::string& folder) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/{}{}-{}{}", folder, kPrefix, getpid(), counter++, kSuffix);
}

bool lock_temporary(int descriptor) {
  if (!lock(descriptor) && errno == EWOULDBLOCK) return false;
  struct stat status {};
  return fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

void sweep_temporaries(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> swept;
  const std::lock_guard guard(mutex);
  if (!swept.insert(folder).second) return;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (may_be_dead(owner(at->path().filename().native()))) remove_if_dead(at->path());
  }
}

}  // namespace megadapt
