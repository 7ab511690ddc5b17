#include <fmt/format.h>

#include <bit>

#include "models/model_sections.hpp"

namespace megadapt {
namespace {

// Returns whether every name has one slot and every slot refers to a name. Counts faults
// instead of stopping at the first, to keep the loop free of branches.
bool are_slots_of(std::span<const std::uint64_t> slots, std::uint64_t num_names) {
  if (slots.empty()) return num_names == 0;
  if (!std::has_single_bit(slots.size()) || slots.size() / 2 <= num_names) return false;
  std::uint64_t used = 0;
  std::uint64_t bad = 0;
  for (std::size_t i = 1; i < slots.size(); i += 2) {
    used += slots[i] != 0;  // id + 1
    bad += slots[i] > num_names;
  }
  return used == num_names && bad == 0;
}

}  // namespace

void add_names(SectionWriter& out, const std::string& prefix, NameIndexView names) {
  out.add(prefix + "/ends", names.ends);
  out.add(prefix + "/bytes", names.bytes);
}

void add_index(SectionWriter& out, const std::string& prefix, NameIndexView names) {
  out.add(prefix + "/slots", names.slots);
  add_names(out, prefix, names);
}

bool are_ends_of(std::span<const std::uint64_t> ends, std::span<const char> bytes) {
  const std::uint64_t last = ends.empty() ? 0 : ends.back();
  if (last != bytes.size() || ends.size() >= kNone) return false;
  std::uint64_t falls = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) falls += ends[i] < ends[i - 1];
  return falls == 0;
}

NameIndexView read_names(const SectionReader& in, const std::string& prefix) {
  const NameIndexView names{{}, in.u64(prefix + "/ends"), in.chars(prefix + "/bytes")};
  if (!are_ends_of(names.ends, names.bytes)) {
    in.damaged(
        fmt::format("section '{}/ends' does not divide the bytes into names", prefix));
  }
  return names;
}

NameIndexView read_index(const SectionReader& in, const std::string& prefix) {
  NameIndexView names = read_names(in, prefix);
  names.slots = in.u64(prefix + "/slots");
  if (!are_slots_of(names.slots, names.ends.size())) {
    in.damaged(
        fmt::format("section '{}/slots' is not the hash table of the names", prefix));
  }
  return names;
}

}  // namespace megadapt
