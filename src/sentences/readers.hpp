#pragma once

#include <cstddef>
#include <memory>

#include "sentences/line_sentences.hpp"

namespace megadapt::sentences {

inline constexpr std::size_t kConlluColumns = 10;

std::unique_ptr<SentenceReader> read_conll(corpus::LineReader lines, SentenceFormat format,
                                           const SentenceOptions& options);
std::unique_ptr<SentenceReader> read_text(corpus::LineReader lines,
                                          const SentenceOptions& options);
std::unique_ptr<SentenceReader> read_prose(corpus::LineReader lines,
                                           const SentenceOptions& options);
std::unique_ptr<SentenceReader> read_json(corpus::LineReader lines,
                                          const SentenceOptions& options);

/// Throws UsageError if tags are needed: text has none, except for recap.
void refuse_untagged(const std::string& file, const SentenceOptions& options);

/// Returns the reader for `options.format`, or for the format that the content suggests.
/// `source` may be compressed; `name` is its name in messages.
std::unique_ptr<SentenceReader> open_sentences(
    std::unique_ptr<corpus::ByteSource> source, const std::string& name,
    const SentenceOptions& options,
    std::size_t buffer_size = corpus::LineReader::kBufferSize);

}  // namespace megadapt::sentences
