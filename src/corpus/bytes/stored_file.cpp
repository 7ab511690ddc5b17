#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/folder.hpp"
#include "base/messages.hpp"
#include "base/sha256.hpp"
#include "corpus/bytes/bytes.hpp"

namespace megadapt::corpus {
namespace {

namespace fs = std::filesystem;

std::string reason(int code) { return std::generic_category().message(code); }

// A missing file usually has a misspelt name: suggests a similar name in the same folder.
std::string fix_missing(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string near = closest(path.filename().string(), names_in(folder.string()));
  if (near.empty()) return "check the path; '-' reads standard input";
  return "did you mean '" + (path.parent_path() / near).string() + "'?";
}

class StoredFile final : public ByteSource {
 public:
  StoredFile(const std::string& path, const std::atomic<bool>* stop, bool digest)
      : name_(display_name(path)), stop_(stop) {
    if (digest) hash_.emplace();
    if (path == "-") {
      file_ = STDIN_FILENO;
    } else {
      file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file_ < 0) fail_to_open(path, errno);
    }
    struct stat status {};
    if (fstat(file_, &status) == 0) {
      if (S_ISDIR(status.st_mode)) fail_directory();
      may_wait_ = !S_ISREG(status.st_mode);
    }
  }
  ~StoredFile() override {
    if (file_ > STDIN_FILENO) close(file_);
  }
  StoredFile(const StoredFile&) = delete;
  StoredFile& operator=(const StoredFile&) = delete;

  std::size_t read(char* to, std::size_t size) override {
    if (ended_) return 0;  // a terminal would otherwise ask for more input
    const auto got = read_some(to, size);
    ended_ = got == 0;
    if (hash_ && ended_) digest_ = hash_->finish();
    if (hash_ && !ended_) hash_->add(to, got);
    return got;
  }
  bool may_wait() const override { return may_wait_; }
  std::string sha256() const override { return digest_; }

 private:
  [[noreturn]] static void fail_to_open(const std::string& path, int code) {
    if (code == ENOENT) throw InputError({path}, "no such file", fix_missing(path));
    if (code == EACCES) {
      throw InputError({path}, "no permission to read it", "chmod +r " + path);
    }
    throw InputError({path}, "cannot be opened: " + reason(code), "check the path");
  }
  [[noreturn]] void fail_directory() {
    if (file_ > STDIN_FILENO)
      close(file_);  // the destructor does not run when the constructor throws
    throw InputError({name_}, "is a directory, not a file", "name a file in it");
  }
  std::size_t read_some(char* to, std::size_t size) {
    for (;;) {
      const auto got = ::read(file_, to, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) break;
      if (stop_ && *stop_) throw Interrupted();
    }
    throw InputError({name_}, "cannot be read: " + reason(errno), "check the disk or pipe");
  }

  std::string name_;
  const std::atomic<bool>* stop_;
  int file_ = -1;
  bool may_wait_ = false;
  bool ended_ = false;
  std::optional<Sha256> hash_;
  std::string digest_;
};

class Bytes final : public ByteSource {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t count = rest_.copy(to, size);
    rest_.remove_prefix(count);
    return count;
  }
  bool may_wait() const override { return false; }
  std::string sha256() const override { return {}; }

 private:
  std::string_view rest_;
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(std::string_view text) {
  return std::make_unique<Bytes>(text);
}

std::string display_name(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::unique_ptr<ByteSource> open_stored(const std::string& path,
                                        const std::atomic<bool>* stop, bool digest) {
  return std::make_unique<StoredFile>(path, stop, digest);
}

}  // namespace megadapt::corpus
