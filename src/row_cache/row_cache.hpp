#pragma once

#include <optional>
#include <string>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// Everything that training rows depend on.
struct RowInput {
  std::vector<DomainFile> files = {};
  Recipe recipe = {};
  bool skip_bad = false;                     ///< as in ReadControl
  std::optional<std::string> texts_of = {};  ///< as in ReadControl
  std::vector<std::string> unlabelled = {};  ///< files of rows of `target` without labels
  std::string target = {};                   ///< matters only with `unlabelled`
};

/// Training rows, and what was noticed while they were read.
struct InputRows {
  Dataset data;
  ReadNotes notes = {};
  UnlabelledNotes unlabelled = {};
};

/// Keeps the rows of an input in a file, so that later runs need not read the input again.
///
///     const RowCache cache("rows", input);
///     std::optional<InputRows> rows = cache.load();
///     if (!rows) cache.store(rows.emplace(read(input)));
///
/// The name of the file is a digest of the content, path and domain of every input file, the
/// other members of RowInput, and the program. A file is written completely or not at all, so several processes may share the
/// folder. Nothing removes files that are no longer used.
class RowCache {
 public:
  /// Makes the folder if there is none. Throws UsageError if that is impossible, and for
  /// standard input, pipes and devices; InputError if a file cannot be read. `input` must
  /// outlive the cache.
  RowCache(const std::string& folder, const RowInput& input);

  const std::string& file() const { return file_; }
  /// The same rows that reading would give; none if there is no file. Throws ModelFileError
  /// for a damaged or foreign file, InputError for one that cannot be read.
  std::optional<InputRows> load() const;
  /// Throws UsageError if an input file has changed since the constructor read it, or the
  /// rows cannot be stored exactly; also what AtomicFile throws.
  void store(const InputRows& rows) const;

 private:
  const RowInput& input_;
  std::string key_;
  std::string file_;
};

}  // namespace megadapt
