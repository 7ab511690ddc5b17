#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt::downloads {

// How the files of a package become ours. Each writes whole files into `out`; InputError
// when the package is not as expected.

/// GENRE.conll (token<TAB>tag) and GENRE.txt (one sentence a line), documents marked.
void convert_brown(const std::filesystem::path& package, const std::filesystem::path& out);
/// easy.jsonl and hard.jsonl (ham or spam), mail.txt (prose of the good mails).
void convert_mail(const std::filesystem::path& package, const std::filesystem::path& out);
/// speeches.txt.
void convert_speeches(const std::filesystem::path& package,
                      const std::filesystem::path& out);
/// novel.txt.
void convert_novel(const std::filesystem::path& package, const std::filesystem::path& out);

/// The coarse part of speech, by the names of Universal Dependencies, of a tag of the Brown
/// corpus: "np-tl" is PROPN, "dod*" is AUX.
std::string coarse_tag(std::string_view brown);

/// Running text as sentences of tokens, as the Penn Treebank separates them: "do n't".
/// A blank line ends a sentence.
std::vector<std::vector<std::string>> split_prose(std::string_view text);

/// What people wrote themselves in a mail: no headers, quotations, signature or markup.
std::string prose_of_mail(std::string_view mail);

}  // namespace megadapt::downloads
