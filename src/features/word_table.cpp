#include "features/word_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "megadapt/corpus.hpp"
#include "sentences/case.hpp"

namespace megadapt::features {
namespace {

constexpr std::size_t kLongestAffix = 4;

// Keeps no-break spaces and the like: no reader of features splits at them.
bool needs_escape(char c) {
  return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '|' || c == '\\';
}

}  // namespace

void append_escaped(std::string_view value, std::string& out) {
  for (const char c : value) {
    if (!needs_escape(c)) {
      out += c;
    } else if (c == ' ') {
      out += "\\s";
    } else if (c == '|' || c == '\\') {
      out += '\\';
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
}

WordTable::WordTable(std::uint32_t attributes, const std::string& language)
    : attributes_(attributes), stemmer_(language) {
  clear();
}

// The names of the borders begin with NUL, so that they differ from ordinary tokens.
void WordTable::clear() {
  words_ = {};
  values_.clear();
  text_.clear();
  words_.add(std::string_view("\0<", 2));
  add_border("<s>");
  words_.add(std::string_view("\0>", 2));
  add_border("</s>");
}

void WordTable::add_border(std::string_view mark) {
  values_.resize(values_.size() + kNumAttributes);
  for (const Attribute a : {Attribute::word, Attribute::lower, Attribute::stem}) {
    set(a, mark);
  }
}

std::uint32_t WordTable::add(std::string_view word) {
  const std::uint32_t before = words_.size();
  const std::uint32_t id = words_.add(word);
  if (id < before) return id;
  values_.resize(values_.size() + kNumAttributes);
  set(Attribute::word, word);
  if (attributes_ <= 1) return id;
  lower_.clear();
  sentences::append_lower(word, lower_);
  if (wants(Attribute::lower)) set(Attribute::lower, lower_);
  if (wants(Attribute::stem)) set(Attribute::stem, stemmer_.stem(lower_));
  if (wants(Attribute::shape)) set(Attribute::shape, word_shape(word));
  if (wants(Attribute::caps)) set(Attribute::caps, case_class(word));
  if (wants(Attribute::kind)) set(Attribute::kind, word_kind(word));
  set_affixes();
  return id;
}

// Affixes are shorter than the word: the whole word is already a feature.
void WordTable::set_affixes() {
  constexpr std::uint32_t kAffixes = 0xff << static_cast<unsigned>(Attribute::prefix1);
  if ((attributes_ & kAffixes) == 0) return;
  const std::vector<std::size_t>& at = characters_.boundaries(lower_);
  const std::size_t length = at.size() - 1;
  const std::string_view lower = lower_;
  for (std::size_t n = 1; n <= kLongestAffix && n < length; ++n) {
    const auto prefix =
        static_cast<Attribute>(static_cast<std::size_t>(Attribute::prefix1) + n - 1);
    const auto suffix =
        static_cast<Attribute>(static_cast<std::size_t>(Attribute::suffix1) + n - 1);
    if (wants(prefix)) set(prefix, lower.substr(0, at[n]));
    if (wants(suffix)) set(suffix, lower.substr(at[length - n]));
  }
}

void WordTable::set(Attribute attribute, std::string_view value) {
  Slice& slice =
      values_[values_.size() - kNumAttributes + static_cast<std::size_t>(attribute)];
  slice.begin = text_.size();
  append_escaped(value, text_);
  slice.size = static_cast<std::uint32_t>(text_.size() - slice.begin);
}

}  // namespace megadapt::features
