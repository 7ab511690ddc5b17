#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <utility>

#include "base/temporary.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBufferSize = std::size_t{1} << 16;
constexpr int kLongestLinkChain = 40;  // the kernel's own limit

std::string system_message(int error) { return std::generic_category().message(error); }

// Returns the file at the end of a chain of symbolic links. It need not exist yet.
std::string follow_links(const std::string& path) {
  fs::path target = path;
  std::error_code ignored;
  for (int i = 0; i < kLongestLinkChain && fs::is_symlink(target, ignored); ++i) {
    const fs::path next = fs::read_symlink(target, ignored);
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

std::string directory_of(const std::string& file) {
  const std::string parent = fs::path(file).parent_path().string();
  return parent.empty() ? "." : parent;
}

}  // namespace

class AtomicFile::StreamBuffer final : public std::streambuf {
 public:
  explicit StreamBuffer(AtomicFile& file) : file_(file) {}

 protected:
  int_type overflow(int_type character) override {
    if (character == traits_type::eof()) return traits_type::not_eof(character);
    const char byte = traits_type::to_char_type(character);
    file_.write(std::string_view(&byte, 1));
    return character;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    file_.write(std::string_view(data, static_cast<std::size_t>(size)));
    return size;
  }
  int sync() override {
    file_.flush();
    return 0;
  }

 private:
  AtomicFile& file_;
};

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)),
      stream_buffer_(std::make_unique<StreamBuffer>(*this)),
      stream_(stream_buffer_.get()) {
  stream_.exceptions(std::ios::badbit | std::ios::failbit);
  buffer_.reserve(kBufferSize);
  struct stat status {};
  if (path_ == "-" || path_ == "/dev/stdout") {
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail(errno, "cannot write");
  } else if (stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    open_directly();
  } else {
    open_beside();
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
  forget_temporary(note_);
}

void AtomicFile::open_directly() {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0) fail(errno, "cannot write");
}

void AtomicFile::open_beside() {
  if (path_.empty() || path_.back() == '/') fail(EISDIR, "cannot write");
  target_ = follow_links(path_);
  struct stat status {};
  const bool exists = stat(target_.c_str(), &status) == 0;
  // rename() would replace even a read-only file, so check for write permission here.
  if (exists ? access(target_.c_str(), W_OK) != 0 : errno != ENOENT)
    fail(errno, "cannot write");

  const std::string folder = directory_of(target_);
  sweep_temporaries(folder);
  while (temporary_.empty()) {
    std::string name = temporary_name(folder);
    descriptor_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 && lock_temporary(descriptor_)) {
      temporary_ = std::move(name);  // a copy could fail and leave the file
      note_ = note_temporary(temporary_);
    } else if (descriptor_ >= 0) {
      close(descriptor_);
      unlink(name.c_str());
    } else if (errno != EEXIST) {
      fail(errno, "cannot write");
    }
  }
  // Ignore errors: some file systems have no file modes.
  if (exists) static_cast<void>(fchmod(descriptor_, status.st_mode & 0777));
}

void AtomicFile::write(std::string_view text) {
  if (buffer_.size() + text.size() > kBufferSize) flush();
  if (text.size() >= kBufferSize) {
    write_through(text.data(), text.size());
  } else {
    buffer_.insert(buffer_.end(), text.begin(), text.end());
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::flush() {
  write_through(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_through(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno, "cannot write");
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) {
    if (close(std::exchange(descriptor_, -1)) != 0) fail(errno, "cannot write");
    return;
  }
  if (fsync(descriptor_) != 0) fail(errno, "cannot write");
  if (rename(temporary_.c_str(), target_.c_str()) != 0)
    fail(errno, "cannot replace the file");
  temporary_.clear();
  forget_temporary(std::exchange(note_, -1));
  close(std::exchange(descriptor_, -1));  // the lock on the temporary ends with its name
  sync_directory();
}

// Makes the rename itself durable. Skipped when the directory cannot be opened: the file is
// complete anyway.
void AtomicFile::sync_directory() const {
  const int directory =
      open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  const int error = fsync(directory) == 0 ? 0 : errno;
  close(directory);
  if (error != 0 && error != EINVAL) fail(error, "cannot flush the directory");
}

void AtomicFile::fail(int error, const std::string& doing) const {
  const std::string shown = path_ == "-" ? "standard output" : path_;
  const std::string problem =
      fmt::format("{}: {}: {}", shown, doing, system_message(error));
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      throw ResourceError(problem, "free some space or write to another disk");
    case EFBIG:
      throw ResourceError(problem, "raise the limit on file sizes: ulimit -f unlimited");
    case ENOENT:
      throw UsageError(problem,
                       fmt::format("create the directory '{}' first",
                                   directory_of(target_.empty() ? path_ : target_)));
    case EISDIR:
      throw UsageError(problem, "give the name of a file");
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOTDIR:
    case ENAMETOOLONG:
    case ELOOP:
    case ENXIO:
    case EBUSY:
    case ETXTBSY:
    case EBADF:  // standard output is closed
      throw UsageError(problem, "write to a place where you may create files");
    default:
      throw ResourceError(problem, "check the disk, or write to another place");
  }
}

}  // namespace megadapt
