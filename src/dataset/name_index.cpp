#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kBlock = 32;  // names looked up side by side

// XXH3 has one answer on every machine, so a table in a file can be probed anywhere.
std::uint64_t hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

std::uint64_t tag_of(std::uint64_t hash) { return hash & 0xffffffff00000000; }
std::uint32_t id_of(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }

// Where `hash` begins to probe: bits that the tag keeps as well, so that a table can grow
// without the names.
std::size_t home(std::uint64_t hash, std::size_t num_slots) {
  return (hash >> 32) & (num_slots - 1);
}

template <class Word>
bool same_word(const char* a, const char* b) {
  Word x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return x == y;
}

// Names are short: comparing them here, by words that may overlap, beats a call.
bool same(const char* a, const char* b, std::size_t size) {
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) {
      if (!same_word<std::uint64_t>(a + i, b + i)) return false;
    }
    return same_word<std::uint64_t>(a + size - 8, b + size - 8);
  }
  if (size >= 4) {
    return same_word<std::uint32_t>(a, b) &&
           same_word<std::uint32_t>(a + size - 4, b + size - 4);
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

bool has_name(const NameIndexView& index, std::uint32_t id, std::string_view name) {
  const std::string_view found = index.name(id);
  return found.size() == name.size() && same(found.data(), name.data(), name.size());
}

std::uint32_t probe(const NameIndexView& index, std::string_view name, std::uint64_t hash,
                    std::size_t& at) {
  const std::size_t mask = index.slots.size() - 1;
  const std::uint64_t tag = tag_of(hash);
  at = home(hash, index.slots.size());
  for (std::size_t tries = 0; tries <= mask; ++tries, at = (at + 1) & mask) {
    const std::uint64_t slot = index.slots[at];
    if (slot == 0) return kNone;
    if (tag_of(slot) == tag && has_name(index, id_of(slot), name)) return id_of(slot);
  }
  return kNone;  // a full table comes only from a hostile file
}

// A lookup reads a slot, then where the name lies, then the name: each waits for memory,
// and each depends on the one before. For a block of names the waits are taken together:
// this asks for everything that looking them up will read. `hash` becomes the names'
// hashes.
void prefetch(const NameIndexView& index, std::span<const NamedFeature> block,
              std::uint64_t* hash) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    hash[i] = hash_of(block[i].name);
    __builtin_prefetch(&index.slots[home(hash[i], index.slots.size())]);
  }
  std::uint32_t id[kBlock];
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::uint64_t slot = index.slots[home(hash[i], index.slots.size())];
    const bool likely = slot != 0 && tag_of(slot) == tag_of(hash[i]);
    id[i] = likely ? std::min(id_of(slot), index.size() - 1) : kNone;
    if (likely) __builtin_prefetch(&index.ends[id[i]]);
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (id[i] != kNone) __builtin_prefetch(index.name(id[i]).data());
  }
}

}  // namespace

std::string_view NameIndexView::name(std::uint32_t id) const {
  if (id >= ends.size()) return {};
  const std::uint64_t begin = id == 0 ? 0 : ends[id - 1];
  return {bytes.data() + begin, ends[id] - begin};
}

std::uint32_t NameIndexView::find(std::string_view name) const {
  if (slots.empty()) return kNone;
  std::size_t at;
  return probe(*this, name, hash_of(name), at);
}

void NameIndexView::find_all(std::span<const NamedFeature> features,
                             std::vector<std::uint32_t>& ids) const {
  ids.assign(features.size(), kNone);
  if (slots.empty()) return;
  std::uint64_t hash[kBlock];
  for (std::size_t first = 0; first < features.size(); first += kBlock) {
    const auto block = features.subspan(first, std::min(kBlock, features.size() - first));
    prefetch(*this, block, hash);
    std::size_t at;
    for (std::size_t i = 0; i < block.size(); ++i) {
      ids[first + i] = probe(*this, block[i].name, hash[i], at);
    }
  }
}

std::uint32_t NameIndex::add(std::string_view name) {
  make_room(1);
  return add(name, hash_of(name));
}

void NameIndex::add_all(std::span<const NamedFeature> features,
                        std::vector<std::uint32_t>& ids) {
  ids.resize(features.size());
  std::uint64_t hash[kBlock];
  for (std::size_t first = 0; first < features.size(); first += kBlock) {
    const auto block = features.subspan(first, std::min(kBlock, features.size() - first));
    make_room(block.size());
    prefetch(view(), block, hash);
    for (std::size_t i = 0; i < block.size(); ++i) {
      ids[first + i] = add(block[i].name, hash[i]);
    }
  }
}

std::uint32_t NameIndex::add(std::string_view name, std::uint64_t hash) {
  std::size_t at;
  const std::uint32_t found = probe(view(), name, hash, at);
  if (found != kNone) return found;
  const std::uint32_t id = size();
  slots_[at] = tag_of(hash) | (std::uint64_t{id} + 1);
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  ends_.push_back(bytes_.size());
  return id;
}

// At most half of the slots are taken.
void NameIndex::make_room(std::size_t names) {
  if (2 * (ends_.size() + names) <= slots_.size()) return;
  std::vector<std::uint64_t> wider(slots_.empty() ? kFirstSlots : 2 * slots_.size());
  const std::size_t mask = wider.size() - 1;
  for (const std::uint64_t slot : slots_) {
    if (slot == 0) continue;
    std::size_t at = home(slot, wider.size());
    while (wider[at] != 0) at = (at + 1) & mask;
    wider[at] = slot;
  }
  slots_ = std::move(wider);
}

std::vector<std::string> NameIndex::names() const {
  std::vector<std::string> all;
  for (std::uint32_t id = 0; id < size(); ++id) all.emplace_back(name(id));
  return all;
}

}  // namespace megadapt
