#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::fuzz {

/// A reader of input from outside. `run` catches the Error by which the reader refuses bad
/// input. Any other exception is a bug and ends the program.
struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

// Targets in files of their own.
void fuzz_gazetteer(std::string_view bytes);
void fuzz_kernels(std::string_view bytes);
void fuzz_label_map(std::string_view bytes);
void fuzz_part(std::string_view bytes);
void fuzz_row_cache(std::string_view bytes);
void fuzz_predict(std::string_view bytes);
void fuzz_ranks(std::string_view bytes);
void fuzz_rows(std::string_view bytes);
void fuzz_sentences(std::string_view bytes);
void fuzz_session(std::string_view bytes);
void fuzz_settings(std::string_view bytes);
void fuzz_template(std::string_view bytes);
void fuzz_threads(std::string_view bytes);
void fuzz_words(std::string_view bytes);

/// Every target, by the name of its folder in tests/fuzz/corpus.
const std::vector<Target>& targets();

/// Throws std::out_of_range for any other name.
const Target& find_target(std::string_view name);

/// Gives the bytes of a container (model, checkpoint) the right lengths and checksums, so
/// that a change gets past them and reaches the code behind.
std::string with_right_checksums(std::string bytes);

/// A part of the bytes of a container.
struct Section {
  std::size_t begin = 0, size = 0;
};

/// The sections of a container that are not empty and lie within the bytes.
std::vector<Section> sections_of(const std::string& bytes);

}  // namespace megadapt::fuzz
