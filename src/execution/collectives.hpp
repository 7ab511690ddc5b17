#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "megadapt/execution.hpp"

namespace megadapt {

/// Rank 0's `message` on every rank.
std::string broadcast(Communicator& ranks, std::string message);

/// Every rank's message on rank 0, in the order of the ranks; nothing elsewhere.
std::vector<std::string> gather(Communicator& ranks, std::string_view message);

/// `value` summed over the ranks.
inline double summed(Communicator& ranks, double value) {
  ranks.sum(std::span<double>(&value, 1));
  return value;
}

/// Numbers and structs of them as the bytes of a message, and back. Ranks of one job run on
/// machines of one kind.
template <class T>
std::string to_message(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::vector<T> from_message(std::string_view message) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> values(message.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), message.data(), message.size());
  return values;
}

}  // namespace megadapt
