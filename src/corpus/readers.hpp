#pragma once

#include <memory>
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

/// The rows of `reader` with their labels mapped; rows that the map drops are skipped. Rows
/// that name no domain are of `domain`.
std::unique_ptr<RowReader> map_labels(std::unique_ptr<RowReader> reader, LabelMap& map,
                                      std::string domain);

/// The rows of `reader` with features called as FeatureHasher calls them.
std::unique_ptr<RowReader> hash_features(std::unique_ptr<RowReader> reader, int bits);

/// The reader for `options.format`, or for the format that the content suggests. `source`
/// may be compressed; `name` is what messages call it.
std::unique_ptr<RowReader> open_rows(std::unique_ptr<ByteSource> source,
                                     const std::string& name, const ReadOptions& options,
                                     std::size_t buffer_size = LineReader::kBufferSize);

/// Throws InputError when `head`, the first bytes of a file, belongs to something that no
/// reader can use: a model file, an archive, UTF-16.
void refuse_foreign(std::string_view head, const std::string& file);

/// The format of a file that begins with `sample`; `whole` says that it also ends there.
/// Throws InputError when the lines look like no format, or like two.
Format guess_format(std::string_view sample, bool whole, bool labelled,
                    const std::string& file);

/// Calls features by a hash of their names, so that the vocabulary cannot outgrow 2^bits.
/// Two names with one hash become one feature. 0 bits leave names alone.
class FeatureHasher {
 public:
  explicit FeatureHasher(int bits) : bits_(bits) {}
  /// The new names are valid until the next call.
  void rename(std::vector<NamedFeature>& features);

 private:
  int bits_;
  std::string names_;
};

}  // namespace megadapt::corpus
