// The Brown corpus: 500 samples of 2000 words, named by genre (ca01, ..., cr09), one
// sentence per line, each word with its tag: The/at jury/nn said/vbd ...

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.hpp"
#include "base/folder.hpp"
#include "base/mapped_file.hpp"
#include "downloads/corpus_conversion.hpp"
#include "megadapt/error.hpp"

namespace megadapt::downloads {
namespace {

namespace fs = std::filesystem;

// By the second letter of a sample's name.
const std::map<char, std::string>& genres() {
  static const std::map<char, std::string> names = {
      {'a', "news"},           {'b', "editorial"},  {'c', "reviews"},
      {'d', "religion"},       {'e', "hobbies"},    {'f', "lore"},
      {'g', "belles_lettres"}, {'h', "government"}, {'j', "learned"},
      {'k', "fiction"},        {'l', "mystery"},    {'m', "science_fiction"},
      {'n', "adventure"},      {'p', "romance"},    {'r', "humor"}};
  return names;
}

// By base tag: coarse_tag() strips suffixes first.
const std::map<std::string, std::string, std::less<>>& coarse_tags() {
  static const std::map<std::string, std::string, std::less<>> tags = [] {
    std::map<std::string, std::string, std::less<>> all;
    const auto add = [&](const char* coarse, std::initializer_list<const char*> brown) {
      for (const char* tag : brown) all[tag] = coarse;
    };
    add("NOUN", {"nn", "nns", "nr", "nrs"});
    add("PROPN", {"np", "nps"});
    add("ADJ", {"jj", "jjr", "jjs", "jjt"});
    add("ADV", {"rb", "rbr", "rbt", "rn", "ql", "qlp", "wrb", "wql"});
    add("VERB", {"vb", "vbd", "vbg", "vbn", "vbz"});
    add("AUX", {"be", "bed", "bedz", "beg", "bem", "ben", "ber", "bez", "do", "dod", "doz",
                "hv", "hvd", "hvg", "hvn", "hvz", "md"});
    add("PRON",
        {"pn", "pp", "ppl", "ppls", "ppo", "pps", "ppss", "wp", "wpo", "wps", "ex"});
    add("DET", {"at", "ap", "abl", "abn", "abx", "dt", "dti", "dts", "dtx", "wdt"});
    add("ADP", {"in"});
    add("CCONJ", {"cc"});
    add("SCONJ", {"cs"});
    add("NUM", {"cd", "od"});
    add("PART", {"to", "rp", "*"});
    add("INTJ", {"uh"});
    add("PUNCT", {".", ",", ":", "(", ")", "--", "''", "``", "'"});
    return all;
  }();
  return tags;
}

bool is_sample(const std::string& name) {
  return name.size() == 4 && name[0] == 'c' && genres().contains(name[1]) &&
         std::all_of(name.begin() + 2, name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

// Returns the samples of each genre, sorted by name.
std::map<std::string, std::vector<fs::path>> samples(const fs::path& package) {
  std::map<std::string, std::vector<fs::path>> found;
  for (const std::string& name : names_in(package.string())) {
    if (is_sample(name)) found[genres().at(name[1])].push_back(package / name);
  }
  return found;
}

// Appends one line of a sample as columns and as text; nothing for a blank line.
void convert_sentence(std::string_view line, std::string& columns, std::string& text) {
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t\r", at), line.size());
    const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    at = end;
    const std::size_t slash = word.rfind('/');  // the last one: "1/2/cd"
    if (slash == word.npos || slash == 0) continue;
    columns +=
        fmt::format("{}\t{}\n", word.substr(0, slash), coarse_tag(word.substr(slash + 1)));
    text += fmt::format("{}{}", text.empty() ? "" : " ", word.substr(0, slash));
  }
}

void convert_sample(const fs::path& path, AtomicFile& columns, AtomicFile& text) {
  const MappedFile file(path.string());
  const std::string_view all = file.text();
  const std::string head = fmt::format("# doc = {}\n\n", path.filename().string());
  columns.write(head);
  text.write(head);
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    std::string tokens, sentence;
    convert_sentence(all.substr(at, end - at), tokens, sentence);
    if (!tokens.empty()) {
      columns.write(tokens + "\n");
      text.write(sentence + "\n");
    }
    at = end + 1;
  }
  text.write("\n");
}

}  // namespace

std::string coarse_tag(std::string_view brown) {
  std::string tag;
  for (const char c : brown)
    tag += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (tag.starts_with("fw-")) return "X";  // a foreign word
  // "-tl" in titles, "-hl" in headlines, "-nc" cited; "+" joins the tags of "there's".
  if (tag.size() > 2) tag = tag.substr(0, tag.find('-', tag.starts_with("--") ? 2 : 0));
  if (tag.size() > 1) tag = tag.substr(0, tag.find('+'));
  // "*" marks a negation ("doesn't"), "$" a possessive.
  while (tag.size() > 1 && (tag.back() == '*' || tag.back() == '$')) tag.pop_back();
  const auto known = coarse_tags().find(tag);
  return known == coarse_tags().end() ? "X" : known->second;
}

void convert_brown(const fs::path& package, const fs::path& out) {
  const std::map<std::string, std::vector<fs::path>> by_genre = samples(package);
  if (by_genre.size() != genres().size()) {
    throw InputError(
        {package.string()},
        fmt::format("only {} of {} genres were found", by_genre.size(), genres().size()),
        "fetch the version that 'megadapt data list' names");
  }
  for (const auto& [genre, files] : by_genre) {
    AtomicFile columns((out / (genre + ".conll")).string());
    AtomicFile text((out / (genre + ".txt")).string());
    for (const fs::path& file : files) convert_sample(file, columns, text);
    columns.commit();
    text.commit();
  }
}

}  // namespace megadapt::downloads
