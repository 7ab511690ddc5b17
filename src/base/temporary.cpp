#include "base/temporary.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>

#include "base/folder.hpp"

namespace megadapt {
namespace {

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

// The lock decides, because the process ids of one container mean nothing in another. The
// process id protects files of version 0.1, which have no lock.
bool may_be_dead(pid_t process) {
  return process > 0 && (process == getpid() || (kill(process, 0) != 0 && errno == ESRCH));
}

bool lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

void remove_if_dead(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool ours = fstat(descriptor, &status) == 0 && status.st_uid == geteuid() &&
                    (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
  if (ours && lock(descriptor)) remove_tree(path);
  close(descriptor);
}

// Plain memory, because a handler may neither allocate nor lock. A name is complete before its
// note becomes kUsed.
struct Note {
  enum State { kFree, kWriting, kUsed };
  std::atomic<int> state{kFree};
  std::array<char, PATH_MAX> name;
};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not lock");

constexpr std::size_t kNotes = 32;  // more files than any command writes at once
std::array<Note, kNotes> notes;

}  // namespace

int note_temporary(const std::string& name) noexcept {
  if (name.size() >= PATH_MAX) return -1;
  for (std::size_t i = 0; i < kNotes; ++i) {
    int expected = Note::kFree;
    if (!notes[i].state.compare_exchange_strong(expected, Note::kWriting)) continue;
    std::memcpy(notes[i].name.data(), name.c_str(), name.size() + 1);
    notes[i].state = Note::kUsed;
    return static_cast<int>(i);
  }
  return -1;
}

void forget_temporary(int place) noexcept {
  if (place >= 0) notes[static_cast<std::size_t>(place)].state = Note::kFree;
}

void unlink_noted_temporaries() noexcept {
  for (Note& note : notes) {
    if (note.state == Note::kUsed) unlink(note.name.data());
  }
}

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
  for (const std::string& name : names_in(folder)) {
    if (may_be_dead(owner(name))) remove_if_dead(folder + "/" + name);
  }
}

}  // namespace megadapt
