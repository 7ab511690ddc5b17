#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "corpus/memory_source.hpp"
#include "megadapt/corpus.hpp"
#include "sentences/readers.hpp"

namespace megadapt {

inline std::unique_ptr<SentenceReader> reader_of(const std::string& text,
                                                 const SentenceOptions& options = {},
                                                 std::size_t buffer = 64) {
  return sentences::open_sentences(std::make_unique<corpus::MemorySource>(text), "f",
                                   options, buffer);
}

inline std::vector<std::string> strings(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

/// Returns all sentences. Their views stay valid: moving a sentence moves its bytes, too.
inline std::vector<Sentence> sentences_of(const std::string& text,
                                          const SentenceOptions& options = {}) {
  const auto reader = reader_of(text, options);
  std::vector<Sentence> all;
  for (Sentence sentence; reader->next(sentence);) {
    all.push_back(std::move(sentence));
    sentence = {};
  }
  return all;
}

/// Returns the message of the error that reading `text` throws; "" when there is none.
inline std::string problem_of(const std::string& text,
                              const SentenceOptions& options = {}) {
  try {
    sentences_of(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace megadapt
