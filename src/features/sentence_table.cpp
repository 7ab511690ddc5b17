#include "features/sentence_table.hpp"

#include <algorithm>
#include <array>

namespace megadapt::features {
namespace {

constexpr std::uint32_t kPlain = 1;  // only Attribute::word
constexpr std::array<std::string_view, 3> kEdges = {"first", "last", "only"};
constexpr std::array<std::string_view, 2> kMarks = {"B", "I"};

}  // namespace

SentenceTable::SentenceTable(const FeatureTemplate::Parsed& features,
                             const std::vector<Gazetteer>& gazetteers,
                             const std::string& language)
    : words_(features.attributes, language),
      classes_(features.scope.classes),
      num_classes_(classes_.columns().size()) {
  for (std::uint32_t i = 0; i < classes_.num_names(); ++i) {
    append_escaped(classes_.name(i), class_names_.emplace_back());
  }
  for (std::size_t c = 0; c < features.scope.columns.size(); ++c) {
    columns_.emplace_back(kPlain, "none");
  }
  for (const Gazetteer& gazetteer : gazetteers) trees_.emplace_back(gazetteer.entries);
  columns_of_.resize(columns_.size());
  marks_.resize(trees_.size());
}

void SentenceTable::set(const Sentence& sentence) {
  const std::size_t size = sentence.size();
  words_of_.resize(size);
  for (std::size_t t = 0; t < size; ++t) {
    words_of_[t] = words_.add(sentence.tokens[t]);
    if (num_classes_ > 0 && words_of_[t] * num_classes_ >= class_of_word_.size()) {
      add_classes(sentence.tokens[t]);
    }
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns_of_[c].assign(size, kNone);
    if (c >= sentence.columns.size()) continue;
    const auto& column = sentence.columns[c];
    for (std::size_t t = 0; t < size; ++t) {
      if (!column[t].empty()) columns_of_[c][t] = columns_[c].add(column[t]);
    }
  }
  if (trees_.empty()) return;
  lower_text_.resize(size);
  for (std::size_t t = 0; t < size; ++t) lower_text_[t] = lower_case(sentence.tokens[t]);
  lower_.assign(lower_text_.begin(), lower_text_.end());
  for (std::size_t g = 0; g < trees_.size(); ++g) trees_[g].mark(lower_, marks_[g]);
}

// Adds the classes of a new word. The borders have none.
void SentenceTable::add_classes(std::string_view word) {
  class_of_word_.resize(words_.size() * num_classes_, kNone);
  std::ranges::copy(classes_.find(word),
                    class_of_word_.end() - static_cast<std::ptrdiff_t>(num_classes_));
}

std::size_t SentenceTable::table_of(const Atom& atom) const {
  switch (atom.source) {
    case Source::column:
      return 1 + atom.index;
    case Source::word_class:
      return 1 + columns_.size() + atom.index;
    case Source::gazetteer:
      return 1 + columns_.size() + num_classes_ + atom.index;
    case Source::edge:
      return 1 + columns_.size() + num_classes_ + trees_.size();
    default:
      return kWords;
  }
}

std::uint32_t SentenceTable::symbol(std::size_t table, std::ptrdiff_t position) const {
  const auto last = static_cast<std::ptrdiff_t>(size()) - 1;
  if (position < 0 || position > last) {
    if (table != kWords) return kNone;
    return position == -1         ? WordTable::kBefore
           : position == last + 1 ? WordTable::kBehind
                                  : kNone;
  }
  const auto t = static_cast<std::size_t>(position);
  if (table == kWords) return words_of_[t];
  if (table <= columns_.size()) return columns_of_[table - 1][t];
  table -= columns_.size();
  if (table <= num_classes_) return class_of_word_[words_of_[t] * num_classes_ + table - 1];
  table -= num_classes_;
  if (table <= trees_.size()) {
    const std::uint8_t mark = marks_[table - 1][t];
    return mark == 0 ? kNone : mark - 1u;
  }
  if (position == 0) return last == 0 ? 2 : 0;
  return position == last ? 1 : kNone;
}

std::string_view SentenceTable::value(const Atom& atom, std::uint32_t symbol) const {
  switch (atom.source) {
    case Source::column:
      return columns_[atom.index].value(symbol, Attribute::word);
    case Source::word_class:
      return class_names_[symbol];
    case Source::gazetteer:
      return kMarks[symbol];
    case Source::edge:
      return kEdges[symbol];
    default:
      return words_.value(symbol, static_cast<Attribute>(atom.index));
  }
}

void SentenceTable::forget() {
  words_.clear();
  class_of_word_.clear();
  for (WordTable& column : columns_) column.clear();
}

}  // namespace megadapt::features
