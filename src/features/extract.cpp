#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "features/features.hpp"
#include "features/sentence_table.hpp"
#include "features/span_head.hpp"

namespace megadapt {
namespace {

using features::Anchor;
using features::Atom;
using features::SentenceTable;
using features::Source;
using features::Template;

constexpr std::size_t kMostWords = 1'000'000;
constexpr std::size_t kLongestLength = 6;  // all longer spans have the feature length=6+

}  // namespace

struct FeatureExtractor::Impl {
  Impl(const FeatureTemplate& features, const std::vector<Gazetteer>& gazetteers,
       const std::string& language)
      : parsed(features.parsed()), table(parsed, gazetteers, language) {
    const auto& columns = parsed.scope.columns;
    const auto found = std::ranges::find(columns, "pos");
    pos_column = static_cast<std::size_t>(found - columns.begin());
  }

  void extract_tokens(FeatureSink& sink) {
    for (std::size_t t = 0; t < table.size(); ++t) {
      for (const Template& made : parsed.context) {
        name = made.prefix;
        if (append_values(made, t, '\0')) sink.feature(name);
      }
      for (std::size_t k = 0; k < parsed.tags.size(); ++k) {
        name.clear();
        if (append_values(parsed.tags[k], t, '|')) {
          sink.tag_feature(k, parsed.tags[k].prefix, name);
        }
      }
      sink.end_token();
    }
  }

  // Appends the values of all atoms to `name`, with '|' between them, and with a '|' before
  // the first one unless `before` is NUL. Returns false when an atom has no value.
  bool append_values(const Template& made, std::size_t t, char before) {
    for (std::size_t i = 0; i < made.atoms.size(); ++i) {
      const Atom& atom = made.atoms[i];
      const std::uint32_t symbol =
          table.symbol(table.table_of(atom), static_cast<std::ptrdiff_t>(t) + atom.offset);
      const std::string_view value =
          symbol == kNone ? std::string_view() : table.value(atom, symbol);
      if (value.empty()) return false;
      if (before != '\0' || i > 0) name += '|';
      name += value;
    }
    return true;
  }

  void extract_span(const Sentence& sentence, FeatureSink& sink) {
    const bool has_pos = pos_column < sentence.columns.size();
    head = features::span_head(sentence, has_pos ? &sentence.columns[pos_column] : nullptr);
    names.clear();
    for (const Template& made : parsed.context) {
      const bool any = std::ranges::any_of(
          made.atoms, [](const Atom& atom) { return atom.anchor == Anchor::any; });
      const std::size_t first = any ? sentence.span_begin : head;
      const std::size_t end = any ? sentence.span_end : head + 1;
      for (std::size_t t = first; t < end; ++t) add_span_feature(made, sentence, t);
    }
    for (const std::string& each : names) sink.feature(each);
    sink.end_token();
  }

  // `t` is the word that [any] refers to.
  void add_span_feature(const Template& made, const Sentence& sentence, std::size_t t) {
    name = made.prefix;
    for (std::size_t i = 0; i < made.atoms.size(); ++i) {
      if (i > 0) name += '|';
      if (!append_span_value(made.atoms[i], sentence, t)) return;
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }

  bool append_span_value(const Atom& atom, const Sentence& sentence, std::size_t t) {
    if (atom.source == Source::length) {
      const std::size_t length = sentence.span_end - sentence.span_begin;
      fmt::format_to(std::back_inserter(name), "{}{}", std::min(length, kLongestLength),
                     length > kLongestLength ? "+" : "");
      return true;
    }
    if (atom.anchor == Anchor::all) {
      for (std::size_t i = sentence.span_begin; i < sentence.span_end; ++i) {
        if (i > sentence.span_begin) name += "\\s";
        if (!append_value(atom, i)) return false;
      }
      return true;
    }
    const std::size_t from = atom.anchor == Anchor::first  ? sentence.span_begin
                             : atom.anchor == Anchor::last ? sentence.span_end - 1
                             : atom.anchor == Anchor::any  ? t
                                                           : head;
    return append_value(atom, from, atom.offset);
  }

  bool append_value(const Atom& atom, std::size_t from, int offset = 0) {
    const std::uint32_t symbol =
        table.symbol(table.table_of(atom), static_cast<std::ptrdiff_t>(from) + offset);
    const std::string_view value =
        symbol == kNone ? std::string_view() : table.value(atom, symbol);
    name += value;
    return !value.empty();
  }

  const FeatureTemplate::Parsed& parsed;
  SentenceTable table;
  std::size_t pos_column = 0;
  std::size_t head = 0;
  std::string name;
  std::vector<std::string> names;  // features of the current span
};

FeatureExtractor::FeatureExtractor(const FeatureTemplate& features,
                                   const std::vector<Gazetteer>& gazetteers,
                                   const std::string& language)
    : impl_(std::make_unique<Impl>(features, gazetteers, language)) {}
FeatureExtractor::~FeatureExtractor() = default;
FeatureExtractor::FeatureExtractor(FeatureExtractor&&) noexcept = default;

void FeatureExtractor::extract(const Sentence& sentence, FeatureSink& sink) {
  if (impl_->table.num_words() > kMostWords) impl_->table.forget();
  impl_->table.set(sentence);
  if (impl_->parsed.scope.spans) {
    impl_->extract_span(sentence, sink);
  } else {
    impl_->extract_tokens(sink);
  }
}

}  // namespace megadapt
