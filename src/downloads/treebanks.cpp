// Treebanks of Universal Dependencies: English and Turkish text of many kinds, in the ten
// columns of CoNLL-U. Only words and parts of speech are kept.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/atomic_file.hpp"
#include "base/mapped_file.hpp"
#include "downloads/corpus_conversion.hpp"
#include "megadapt/error.hpp"

namespace megadapt::downloads {
namespace {

namespace fs = std::filesystem;

// GUM, and the reviews of EWT below, are left out: other tasks are made from them, and no
// choice made with these treebanks may use their text. IMST2 is another annotation of IMST.
const std::vector<std::string>& treebanks() {
  static const std::vector<std::string> names = {
      "en_atis", "en_ewt",  "en_lines", "en_partut", "tr_atis", "tr_boun",   "tr_framenet",
      "tr_gb",   "tr_imst", "tr_kenet", "tr_penn",   "tr_pud",  "tr_tourism"};
  return names;
}
constexpr std::string_view kGenres = "en_ewt";
constexpr std::string_view kLeftOut = "reviews";

/// The files of one treebank, by the name of the part: "en_ewt_email", or "en_atis".
class Writer {
 public:
  explicit Writer(fs::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& part, const std::string& document, const std::string& words) {
    if (words.empty()) return;
    auto [at, is_new] = files_.try_emplace(part);
    if (is_new) {
      at->second.file.emplace((folder_ / (part + ".conll")).string());
    }
    if (!document.empty() && at->second.document != document) {
      at->second.file->write(fmt::format("# doc = {}\n\n", document));
      at->second.document = document;
    }
    at->second.file->write(words + "\n");
  }
  void commit() {
    for (auto& [part, open] : files_) open.file->commit();
  }

 private:
  struct Open {
    std::optional<AtomicFile> file;
    std::string document;
  };
  fs::path folder_;
  std::map<std::string, Open> files_;
};

// Returns what follows "# KEY = ", or nothing if the line is not that comment.
std::string value_of(std::string_view line, std::string_view key) {
  const std::string start = fmt::format("# {} = ", key);
  return line.starts_with(start) ? std::string(line.substr(start.size())) : std::string();
}

// Returns "word<TAB>tag\n" of a token's line, or nothing for a range ("2-3") of words that
// follow, for an empty node ("8.1"), and for a word without a tag.
std::string word_and_tag(std::string_view line) {
  std::vector<std::string_view> columns;
  for (std::size_t at = 0; columns.size() < 4 && at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    columns.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  if (columns.size() < 4 || columns[0].find_first_not_of("0123456789") != line.npos) {
    return {};
  }
  if (columns[1].empty() || columns[3].empty() || columns[3] == "_") return {};
  std::string word(columns[1]);
  std::replace(word.begin(), word.end(), ' ', '_');
  return fmt::format("{}\t{}\n", word, columns[3]);
}

// "en_ewt_email" for a sentence "email-enronsent00_01-0001" of EWT, which names its genre.
std::string part_of(const std::string& treebank, const std::string& sentence) {
  if (treebank != kGenres) return treebank;
  return treebank + "_" + sentence.substr(0, sentence.find('-'));
}

void convert_file(const std::string& treebank, const fs::path& path, Writer& writer) {
  const MappedFile file(path.string());
  const std::string_view all = file.text();
  std::string document, sentence, words;
  const auto end_sentence = [&] {
    const std::string part = part_of(treebank, sentence);
    if (!part.ends_with(kLeftOut)) writer.add(part, document, words);
    words.clear();
  };
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    std::string_view line = all.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at = end + 1;
    if (const std::string id = value_of(line, "newdoc id"); !id.empty()) {
      document = fmt::format("{}/{}", path.stem().string(), id);
    } else if (const std::string name = value_of(line, "sent_id"); !name.empty()) {
      sentence = name;
    } else if (line.empty()) {
      end_sentence();
    } else {
      words += word_and_tag(line);
    }
  }
  end_sentence();
}

}  // namespace

void convert_treebanks(const fs::path& package, const fs::path& out) {
  for (const std::string& treebank : treebanks()) {
    Writer writer(out);
    std::size_t found = 0;
    for (const char* part : {"train", "dev", "test"}) {
      const fs::path path = package / fmt::format("{}-ud-{}.conllu", treebank, part);
      if (!fs::exists(path)) continue;
      ++found;
      convert_file(treebank, path, writer);
    }
    if (found == 0) {
      throw InputError({package.string()},
                       fmt::format("the treebank {} was not found", treebank),
                       "fetch the version that 'megadapt data list' names");
    }
    writer.commit();
  }
}

}  // namespace megadapt::downloads
