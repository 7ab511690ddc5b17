#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "megadapt/execution.hpp"

namespace megadapt {

/// Returns rank 0's `message` on every rank.
std::string broadcast(Communicator& ranks, std::string message);

/// Returns the messages of all ranks, in rank order, on rank 0; an empty vector elsewhere.
std::vector<std::string> gather(Communicator& ranks, std::string_view message);

/// Returns the sum of `value` over the ranks, on every rank.
inline double summed(Communicator& ranks, double value) {
  ranks.sum(std::span<double>(&value, 1));
  return value;
}

/// Converts numbers, or structs of numbers, to the bytes of a message and back. All ranks
/// must run on machines of the same kind.
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
