#pragma once

#include <memory>

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

}  // namespace megadapt::corpus
