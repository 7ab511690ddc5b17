#include "dataset/token_ids.hpp"

#include <algorithm>

namespace megadapt::sequence {
namespace {

using features::Atom;
using features::Template;

constexpr std::size_t kMostWords = 1'000'000;  // after that, the caches are cleared

}  // namespace

std::uint32_t& TokenIds::Cache::at(std::uint32_t symbol, std::size_t column) {
  const std::size_t index = symbol * width + column;
  if (index >= number.size()) {
    number.resize(std::max(2 * number.size(), (symbol + std::size_t{1}) * width), kUnknown);
  }
  return number[index];
}

TokenIds::TokenIds(const FeatureTemplate& features,
                   const std::vector<Gazetteer>& gazetteers, const std::string& language,
                   Numbering& numbering)
    : parsed_(features.parsed()),
      table_(parsed_, gazetteers, language),
      numbering_(numbering),
      tag_singles_(parsed_.tags.size()),
      tag_plain_(parsed_.tags.size(), kNone),
      caches_(table_.num_tables()) {
  for (std::size_t i = 0; i < parsed_.context.size(); ++i) {
    if (parsed_.context[i].atoms.size() == 1) {
      singles_.push_back(place(parsed_.context[i], i));
    } else {
      conjunctions_.push_back(conjunction(i));
    }
  }
  for (std::size_t k = 0; k < parsed_.tags.size(); ++k) {
    const Template& made = parsed_.tags[k];
    if (made.atoms.empty()) tag_plain_[k] = numbering_.slot(k, made.prefix, "");
    if (made.atoms.size() == 1) tag_singles_[k] = place(made, k);
  }
}

TokenIds::Single TokenIds::place(const Template& made, std::size_t index) {
  const Atom& atom = made.atoms.front();
  const std::size_t table = table_.table_of(atom);
  return {table, caches_[table].width++, atom.offset, index};
}

void TokenIds::set(const Sentence& sentence) {
  if (table_.num_words() > kMostWords) {
    table_.forget();
    for (Cache& cache : caches_) cache.number.clear();
    for (Conjunction& made : conjunctions_)
      std::ranges::fill(made.known, Conjunction::Known());
  }
  table_.set(sentence);
}

void TokenIds::append_context(std::size_t t, std::vector<std::uint32_t>& to) {
  const auto position = static_cast<std::ptrdiff_t>(t);
  for (const Single& single : singles_) {
    const std::uint32_t symbol = table_.symbol(single.table, position + single.offset);
    if (symbol == kNone) continue;
    std::uint32_t& number = caches_[single.table].at(symbol, single.column);
    if (number == kUnknown) {
      const Template& made = parsed_.context[single.made];
      const std::string_view value = table_.value(made.atoms.front(), symbol);
      name_ = made.prefix;
      name_ += value;
      number = value.empty() ? kNothing : numbering_.feature(name_);
    }
    append(number, to);
  }
  for (Conjunction& made : conjunctions_) append(number_of(made, t), to);
}

TokenIds::Conjunction TokenIds::conjunction(std::size_t index) const {
  const std::vector<Atom>& atoms = parsed_.context[index].atoms;
  if (atoms.size() != 2) return {.made = index};
  return {index, table_.table_of(atoms[0]), table_.table_of(atoms[1]),
          std::vector<Conjunction::Known>(Conjunction::kPlaces)};
}

std::uint32_t TokenIds::number_of(Conjunction& conjunction, std::size_t t) {
  const Template& made = parsed_.context[conjunction.made];
  if (conjunction.known.empty()) return looked_up(made, t);
  const auto position = static_cast<std::ptrdiff_t>(t);
  const std::uint64_t first =
      table_.symbol(conjunction.first, position + made.atoms[0].offset);
  const std::uint64_t second =
      table_.symbol(conjunction.second, position + made.atoms[1].offset);
  if (first == kNone || second == kNone) return kNothing;
  const std::uint64_t pair = first << 32 | second;
  Conjunction::Known& known = conjunction.place_of(pair);
  if (known.pair != pair) known = {pair, looked_up(made, t)};
  return known.number;
}

// Returns kNothing when a part has no value.
std::uint32_t TokenIds::looked_up(const Template& made, std::size_t t) {
  name_ = made.prefix;
  return append_values(made, t, false) ? numbering_.feature(name_) : kNothing;
}

void TokenIds::append(std::uint32_t number, std::vector<std::uint32_t>& to) {
  if (number < kNothing) {
    to.push_back(number);
  } else if (number == kNone) {
    ++left_out_;
  }
}

// Returns false when a part has no value.
bool TokenIds::append_values(const Template& made, std::size_t t, bool leading) {
  for (const Atom& atom : made.atoms) {
    const std::uint32_t symbol =
        table_.symbol(table_.table_of(atom), static_cast<std::ptrdiff_t>(t) + atom.offset);
    if (symbol == kNone) return false;
    const std::string_view value = table_.value(atom, symbol);
    if (value.empty()) return false;
    if (leading) name_ += '|';
    leading = true;
    name_ += value;
  }
  return true;
}

std::uint32_t TokenIds::slot(std::size_t t, std::size_t k) {
  const Template& made = parsed_.tags[k];
  if (made.atoms.empty()) return tag_plain_[k];
  if (made.atoms.size() == 1) return single_slot(k, t);
  name_.clear();
  return append_values(made, t, true) ? numbering_.slot(k, made.prefix, name_) : kNone;
}

std::uint32_t TokenIds::single_slot(std::size_t k, std::size_t t) {
  const Single& single = tag_singles_[k];
  const std::uint32_t symbol =
      table_.symbol(single.table, static_cast<std::ptrdiff_t>(t) + single.offset);
  if (symbol == kNone) return kNone;
  std::uint32_t& slot = caches_[single.table].at(symbol, single.column);
  if (slot == kUnknown) {
    name_.clear();
    const bool has_value = append_values(parsed_.tags[k], t, true);
    slot = has_value ? numbering_.slot(k, parsed_.tags[k].prefix, name_) : kNone;
  }
  return slot;
}

}  // namespace megadapt::sequence
