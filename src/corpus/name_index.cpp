#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kNamesAtOnce = 32;  // names looked up together

// XXH3 gives the same hash on every machine, so a table in a file works anywhere.
std::uint64_t hash_of(std::string_view name) {
  return XXH3_64bits(name.data(), name.size());
}

// A slot is a pair in `slots`: the hash, then id + 1, or 0 if the slot is empty.
std::size_t num_slots(const NameIndexView& index) { return index.slots.size() / 2; }
std::uint64_t hash_at(const NameIndexView& index, std::size_t at) {
  return index.slots[2 * at];
}
std::uint32_t id_at(const NameIndexView& index, std::size_t at) {
  return static_cast<std::uint32_t>(index.slots[2 * at + 1]) - 1;  // kNone when empty
}

// Treats equal hashes as equal names. Comparing the names too would cost two more memory
// accesses per lookup, to guard against one chance in 2^64 for each name of the table. Sets
// `at` to the slot where the probe ended.
std::uint32_t probe(const NameIndexView& index, std::uint64_t hash, std::size_t& at) {
  const std::size_t mask = num_slots(index) - 1;
  at = hash & mask;
  for (std::size_t tries = 0; tries <= mask; ++tries, at = (at + 1) & mask) {
    const std::uint32_t id = id_at(index, at);
    if (id == kNone || hash_at(index, at) == hash) return id;
  }
  return kNone;  // the table is full, which only a forged file can cause
}

// Sets `hash` to the hashes of the names and prefetches all their slots before the first is
// read, so that the memory latencies of a block overlap.
void prefetch(const NameIndexView& index, std::span<const NamedFeature> block,
              std::uint64_t* hash) {
  const std::size_t mask = num_slots(index) - 1;
  for (std::size_t i = 0; i < block.size(); ++i) {
    hash[i] = hash_of(block[i].name);
    __builtin_prefetch(&index.slots[2 * (hash[i] & mask)]);
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
  return probe(*this, hash_of(name), at);
}

void NameIndexView::find_all(std::span<const NamedFeature> features,
                             std::vector<std::uint32_t>& ids) const {
  ids.assign(features.size(), kNone);
  if (slots.empty()) return;
  std::uint64_t hash[kNamesAtOnce];
  for (std::size_t first = 0; first < features.size(); first += kNamesAtOnce) {
    const auto block =
        features.subspan(first, std::min(kNamesAtOnce, features.size() - first));
    prefetch(*this, block, hash);
    std::size_t at;
    for (std::size_t i = 0; i < block.size(); ++i) {
      ids[first + i] = probe(*this, hash[i], at);
    }
  }
}

NameIndex::NameIndex(NameIndexView names)
    : slots_(names.slots.begin(), names.slots.end()),
      ends_(names.ends.begin(), names.ends.end()),
      bytes_(names.bytes.begin(), names.bytes.end()) {}

std::uint32_t NameIndex::add(std::string_view name) {
  make_room(1);
  return add(name, hash_of(name));
}

void NameIndex::add_all(std::span<const NamedFeature> features,
                        std::vector<std::uint32_t>& ids) {
  ids.resize(features.size());
  std::uint64_t hash[kNamesAtOnce];
  for (std::size_t first = 0; first < features.size(); first += kNamesAtOnce) {
    const auto block =
        features.subspan(first, std::min(kNamesAtOnce, features.size() - first));
    make_room(block.size());
    prefetch(view(), block, hash);
    for (std::size_t i = 0; i < block.size(); ++i) {
      ids[first + i] = add(block[i].name, hash[i]);
    }
  }
}

std::uint32_t NameIndex::add(std::string_view name, std::uint64_t hash) {
  std::size_t at;
  const std::uint32_t found = probe(view(), hash, at);
  if (found != kNone) return found;
  const std::uint32_t id = size();
  slots_[2 * at] = hash;
  slots_[2 * at + 1] = std::uint64_t{id} + 1;
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  ends_.push_back(bytes_.size());
  return id;
}

// Keeps at most half of the slots in use.
void NameIndex::make_room(std::size_t names) {
  if (4 * (ends_.size() + names) <= slots_.size()) return;
  std::vector<std::uint64_t> wider(slots_.empty() ? 2 * kFirstSlots : 2 * slots_.size());
  const std::size_t mask = wider.size() / 2 - 1;
  for (std::size_t from = 0; from < slots_.size(); from += 2) {
    if (slots_[from + 1] == 0) continue;
    std::size_t at = slots_[from] & mask;
    while (wider[2 * at + 1] != 0) at = (at + 1) & mask;
    wider[2 * at] = slots_[from];
    wider[2 * at + 1] = slots_[from + 1];
  }
  slots_ = std::move(wider);
}

std::vector<std::string> NameIndex::names() const {
  std::vector<std::string> all;
  for (std::uint32_t id = 0; id < size(); ++id) all.emplace_back(name(id));
  return all;
}

}  // namespace megadapt
