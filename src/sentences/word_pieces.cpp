// Turns the word boundaries of UAX #29 into the tokens that corpora use.

#include "sentences/word_pieces.hpp"

#include <algorithm>
#include <array>

namespace megadapt::sentences {
namespace {

using Kind = Piece::Kind;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool ends_with(std::string_view word, std::string_view lower_end) {
  return word.size() > lower_end.size() &&
         std::ranges::equal(word.substr(word.size() - lower_end.size()), lower_end,
                            [](char a, char b) { return lower(a) == b; });
}

/// Goes through the pieces of a sentence from left to right.
class Joiner {
 public:
  Joiner(std::string_view text, const std::vector<Piece>& pieces, const TokenRules& rules)
      : text_(text), pieces_(pieces), rules_(rules) {
    last_word_ = pieces.size();
    while (last_word_ > 0 && pieces[last_word_ - 1].kind != Kind::word) --last_word_;
  }

  std::vector<TextSpan> tokens() {
    while (at_ < pieces_.size()) {
      if (pieces_[at_].kind == Kind::space) {
        ++at_;
      } else if (const std::size_t end = link_end(); end > at_) {
        emit(end);
      } else if (const std::size_t word_end = this->word_end(); word_end > at_) {
        emit_word(word_end);
      } else {
        emit(run_end());
      }
    }
    return std::move(out_);
  }

 private:
  std::string_view piece(std::size_t i) const {
    if (i >= pieces_.size()) return {};
    return text_.substr(pieces_[i].begin, pieces_[i].end - pieces_[i].begin);
  }
  // Whether piece i exists and directly follows the piece before it.
  bool follows(std::size_t i) const {
    return i < pieces_.size() && pieces_[i].kind != Kind::space &&
           pieces_[i].begin == pieces_[i - 1].end;
  }
  bool is_word(std::size_t i) const {
    return i < pieces_.size() && pieces_[i].kind == Kind::word;
  }
  bool word_follows(std::size_t i) const { return follows(i) && is_word(i); }

  // The end of a web or mail address that begins here: up to the next space, without the
  // punctuation after it.
  std::size_t link_end() const {
    if (!is_word(at_)) return at_;
    std::size_t end = at_ + 1;
    bool link = piece(at_).starts_with("www.");
    for (; follows(end); ++end) {
      link |= piece(end) == "@" && word_follows(end + 1);
      link |= piece(end) == ":" && piece(end + 1) == "/" && piece(end + 2) == "/";
    }
    if (!link) return at_;
    constexpr std::string_view kOpen = "([{<";
    for (std::size_t i = at_; i < end; ++i) {  // a bracket that is open ends the address
      if (piece(i).size() == 1 && kOpen.find(piece(i)[0]) != kOpen.npos) end = i;
    }
    while (end > at_ + 1 && !is_word(end - 1) && piece(end - 1) != "/") --end;
    return end;
  }

  // The end of a word that begins here, with what belongs to it; `at_` if none begins.
  std::size_t word_end() const {
    std::size_t i = at_;
    const bool prefix = (piece(i) == "@" || piece(i) == "#") && word_follows(i + 1);
    if (prefix) ++i;
    if (!is_word(i)) return at_;
    ++i;
    while (follows(i)) {
      if (joins_words(piece(i)) && word_follows(i + 1)) {
        i += 2;
      } else if (is_plus(i)) {
        i = same_end(i);
      } else if (is_abbreviation(i)) {
        return i + 1;
      } else {
        break;
      }
    }
    return i;
  }

  bool joins_words(std::string_view between) const {
    if (between == "&" || between == "+") return true;
    return !rules_.split_hyphens &&
           (between == "-" || between == "\u2010" || between == "\u2011");
  }
  // `C++`, `C#`, `A+`: the symbols belong to the word, unless another word follows.
  bool is_plus(std::size_t i) const {
    const bool letter = piece(i - 1).size() == 1;
    if (piece(i) == "#") return letter && !word_follows(i + 1);
    const std::size_t end = same_end(i);
    return piece(i) == "+" && (letter || end - i == 2) && !word_follows(end);
  }
  // A full stop belongs to its word if the sentence goes on after it or if the word has a
  // full stop inside (`U.S.`).
  bool is_abbreviation(std::size_t i) const {
    if (piece(i) != "." || same_end(i) != i + 1) return false;
    if (piece(i - 1).find('.') != std::string_view::npos && starts_with_letter(i - 1)) {
      return true;
    }
    constexpr std::string_view kAfter = ",;:?!-)";
    const bool goes_on = i + 1 < last_word_;
    const bool before_mark =
        follows(i + 1) && kAfter.find(piece(i + 1)[0]) != std::string_view::npos;
    return goes_on && (!follows(i + 1) || before_mark);
  }
  bool starts_with_letter(std::size_t i) const {
    const char c = lower(piece(i)[0]);
    return (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
  }

  // The end of a run of one ASCII punctuation mark: `...`, `--`, `!!`.
  std::size_t same_end(std::size_t i) const {
    std::size_t end = i + 1;
    if (piece(i).size() != 1 || is_word(i)) return end;
    while (follows(end) && piece(end) == piece(i)) ++end;
    return end;
  }
  std::size_t run_end() const { return same_end(at_); }

  void emit(std::size_t end) {
    out_.push_back({pieces_[at_].begin, pieces_[end - 1].end});
    at_ = end;
  }
  void emit_word(std::size_t end) {
    emit(end);
    if (!rules_.split_contractions) return;
    TextSpan& word = out_.back();
    const std::size_t size =
        contraction_at_end(text_.substr(word.begin, word.end - word.begin));
    if (size == 0) return;
    const std::size_t middle = word.end - size, last = word.end;
    word.end = middle;
    out_.push_back({middle, last});
  }

  std::string_view text_;
  const std::vector<Piece>& pieces_;
  const TokenRules& rules_;
  std::size_t at_ = 0;
  std::size_t last_word_ = 0;  // one past the last piece that is a word
  std::vector<TextSpan> out_;
};

}  // namespace

std::vector<TextSpan> tokens_of(std::string_view text, const std::vector<Piece>& pieces,
                                const TokenRules& rules) {
  return Joiner(text, pieces, rules).tokens();
}

std::size_t contraction_at_end(std::string_view word) {
  constexpr std::array<std::string_view, 14> kEnds = {
      "n't", "'s",      "'re",      "'ve",      "'ll",      "'d",      "'m",
      "n’t", "\u2019s", "\u2019re", "\u2019ve", "\u2019ll", "\u2019d", "\u2019m"};
  for (const std::string_view end : kEnds) {
    if (ends_with(word, end)) return end.size();
  }
  constexpr std::string_view kCannot = "cannot";
  const bool cannot = word.size() == kCannot.size() && ends_with(word, kCannot.substr(1)) &&
                      lower(word[0]) == 'c';
  return cannot ? 3 : 0;
}

}  // namespace megadapt::sentences
