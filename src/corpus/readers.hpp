#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/lines.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

// One reader per format; docs/formats.md describes the formats.
std::unique_ptr<RowReader> read_megam(LineReader lines, Format format,
                                      const ReadOptions& options);
std::unique_ptr<RowReader> read_libsvm(LineReader lines, const ReadOptions& options);
std::unique_ptr<RowReader> read_jsonl(LineReader lines, const ReadOptions& options);
std::unique_ptr<RowReader> read_table(LineReader lines, Format format,
                                      const ReadOptions& options);
std::unique_ptr<RowReader> read_text(LineReader lines, const ReadOptions& options);

/// The rows of `reader` with their labels mapped; rows that the map drops are skipped. Rows
/// that name no domain belong to `domain`.
std::unique_ptr<RowReader> map_labels(std::unique_ptr<RowReader> reader, LabelMap& map,
                                      std::string domain);

/// Returns the reader for `options.format`, or for the format that the content suggests.
/// `source` may be compressed; `name` is its name in messages.
std::unique_ptr<RowReader> open_rows(std::unique_ptr<ByteSource> source,
                                     const std::string& name, const ReadOptions& options,
                                     std::size_t buffer_size = LineReader::kBufferSize);

/// Throws InputError when `head`, the first bytes of a file, shows that no reader can use
/// the file: a model, an archive, UTF-16.
void refuse_foreign(std::string_view head, const std::string& file);

/// What a guess of the format takes into account besides the content.
struct GuessOptions {
  bool labelled = true;
  const ColumnNames& columns;
  bool expects_text = false;  ///< see ReadOptions
};

/// Guesses the format of a file that begins with `sample`; `whole` says that the sample is
/// the whole file. Throws InputError when the lines match no format, or two.
Format guess_format(std::string_view sample, bool whole, const GuessOptions& options,
                    const std::string& file);

/// Replaces the names of features by hashes, so that the vocabulary has at most 2^bits
/// names. Two names with the same hash become one feature. 0 bits keep the names.
class FeatureHasher {
 public:
  explicit FeatureHasher(int bits) : bits_(bits) {}
  /// The new names are valid until the next call.
  void rename(std::span<NamedFeature> features);

 private:
  int bits_;
  std::string names_;
};

}  // namespace megadapt::corpus
