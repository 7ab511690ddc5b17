#include <algorithm>
#include <array>
#include <set>

#include "downloads/corpus_conversion.hpp"

namespace megadapt::downloads {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::string_view kOpening = "([{\"'`";
constexpr std::string_view kClosing = ".,;:!?)]}\"'";
constexpr std::array<std::string_view, 7> kClitics = {"n't", "'s", "'re", "'ve",
                                                      "'ll", "'d", "'m"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
char lowered(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

bool ends_with_clitic(std::string_view word, std::string_view clitic) {
  return word.size() > clitic.size() &&
         std::equal(clitic.rbegin(), clitic.rend(), word.rbegin(),
                    [](char a, char b) { return a == lowered(b); });
}

// Whether the full stop belongs to the word: "Mr.", "U.S.", "J.".
bool is_abbreviation(std::string_view word) {
  static const std::set<std::string_view> known = {
      "Mr.",  "Mrs.", "Ms.",   "Dr.",  "St.",  "Gen.",  "Col.", "Capt.", "Sen.",
      "Rep.", "Gov.", "Prof.", "Rev.", "Hon.", "Jr.",   "Sr.",  "No.",   "vs.",
      "etc.", "e.g.", "i.e.",  "Inc.", "Co.",  "Corp.", "Ltd."};
  if (known.contains(word)) return true;
  if (word.size() == 2) return is_upper(word[0]);
  return word.size() > 2 && word.size() <= 8 && is_letter(word[0]) &&
         word.find('.') < word.size() - 1 && word.find("..") == word.npos;
}

// Splits one word: punctuation before it, the word, its clitic, punctuation after it.
void add_word(std::string_view word, std::vector<std::string>& tokens) {
  std::size_t begin = 0;
  while (begin + 1 < word.size() && kOpening.find(word[begin]) != kOpening.npos) {
    tokens.emplace_back(1, word[begin++]);
  }
  word.remove_prefix(begin);
  std::vector<std::string> behind;
  while (word.size() > 1 && kClosing.find(word.back()) != kClosing.npos &&
         !is_abbreviation(word)) {
    // "..." is one token, and may be the whole word.
    const std::size_t run = word.find_last_not_of('.') + 1;
    if (run == 0) break;
    const std::size_t from = std::min(run, word.size() - 1);
    behind.emplace_back(word.substr(from));
    word = word.substr(0, from);
  }
  std::string_view clitic;
  for (const std::string_view one : kClitics) {
    if (ends_with_clitic(word, one)) clitic = word.substr(word.size() - one.size());
  }
  tokens.emplace_back(word.substr(0, word.size() - clitic.size()));
  if (!clitic.empty()) tokens.emplace_back(clitic);
  tokens.insert(tokens.end(), behind.rbegin(), behind.rend());
}

bool ends_sentence(const std::vector<std::string>& tokens) {
  std::size_t last = tokens.size();
  while (last > 0 &&
         (tokens[last - 1] == "\"" || tokens[last - 1] == "'" || tokens[last - 1] == ")")) {
    --last;
  }
  if (last == 0) return false;
  const std::string& mark = tokens[last - 1];
  return mark == "." || mark == "!" || mark == "?" || mark == "...";
}

bool may_begin_sentence(std::string_view word) {
  const std::size_t first = word.find_first_not_of(kOpening);
  return first != word.npos &&
         (is_upper(word[first]) || (word[first] >= '0' && word[first] <= '9'));
}

}  // namespace

std::vector<std::vector<std::string>> split_prose(std::string_view text) {
  std::vector<std::vector<std::string>> sentences;
  std::vector<std::string> tokens;
  const auto finish = [&] {
    if (!tokens.empty()) sentences.push_back(std::move(tokens));
    tokens.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text.find_first_not_of(kSpace, at), text.size());
    const std::string_view gap = text.substr(at, begin - at);
    if (std::count(gap.begin(), gap.end(), '\n') > 1) finish();
    const std::size_t end = std::min(text.find_first_of(kSpace, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!word.empty()) {
      if (ends_sentence(tokens) && may_begin_sentence(word)) finish();
      add_word(word, tokens);
    }
    at = end;
  }
  finish();
  return sentences;
}

std::string prose_of_mail(std::string_view mail) {
  const auto contains_any = [&](auto... marks) {
    return ((mail.find(marks) != mail.npos) || ...);
  };
  // Markup and encoded parts are not prose.
  if (contains_any("<html", "<HTML", "<table", "<TABLE", "<body", "<BODY", "base64",
                   "Content-Type: multipart", "-----BEGIN")) {
    return {};
  }
  std::size_t at = mail.find("\n\n");
  if (at == mail.npos) return {};
  std::string prose;
  while (at < mail.size()) {
    const std::size_t end = std::min(mail.find('\n', at), mail.size());
    std::string_view line = mail.substr(at, end - at);
    while (!line.empty() && kSpace.find(line.back()) != kSpace.npos) line.remove_suffix(1);
    if (line == "--" || line.starts_with("____")) break;  // the signature
    const std::string_view start =
        line.substr(std::min(line.find_first_not_of(kSpace), line.size()));
    const bool quoted = start.starts_with(">") || start.starts_with("|") ||
                        line.ends_with("wrote:") || line.ends_with("writes:");
    const bool words = std::any_of(line.begin(), line.end(), is_letter) &&
                       line.find("://") == line.npos && line.find('@') == line.npos;
    // A skipped line ends the paragraph; otherwise its neighbours would be joined.
    prose += !quoted && words ? std::string(line) + "\n" : "\n";
    at = end + 1;
  }
  return prose;
}

}  // namespace megadapt::downloads
