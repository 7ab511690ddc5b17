#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::downloads {

// Converters of packages to our formats. Each writes whole files into `out` and throws
// InputError if the package is not as expected.

/// Writes GENRE.conll (token<TAB>tag) and GENRE.txt (one sentence per line), by document.
void convert_brown(const std::filesystem::path& package, const std::filesystem::path& out);
/// Writes easy.jsonl and hard.jsonl (ham or spam) and mail.txt (prose of the ham).
void convert_mail(const std::filesystem::path& package, const std::filesystem::path& out);
/// Writes speeches.txt.
void convert_speeches(const std::filesystem::path& package,
                      const std::filesystem::path& out);
/// Writes novel.txt.
void convert_novel(const std::filesystem::path& package, const std::filesystem::path& out);

/// Writes NAME.conll (token<TAB>part of speech) for each treebank, and for each genre of EWT.
void convert_treebanks(const std::filesystem::path& package,
                       const std::filesystem::path& out);

/// Writes vectors.bin, a table in the form of word2vec, and try.txt, some sentences.
void convert_vectors(const std::filesystem::path& package,
                     const std::filesystem::path& out);

/// Maps a tag of the Brown corpus to a part of speech of Universal Dependencies: "np-tl" to
/// PROPN, "dod*" to AUX.
std::string coarse_tag(std::string_view brown);

/// Splits running text into sentences and Penn Treebank tokens ("do n't"). A blank line
/// ends a sentence.
std::vector<std::vector<std::string>> split_prose(std::string_view text);

/// Returns the prose of a mail, without headers, quotations, signature and markup.
std::string prose_of_mail(std::string_view mail);

}  // namespace megadapt::downloads
