#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "megadapt/error.hpp"

namespace megadapt {

/// The text of a line for a message: tabs shown as <TAB>, other control bytes as \xNN, cut
/// to a length that fits a terminal.
std::string excerpt(std::string_view line);

std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name closest to `word`, or "" when none is similar enough.
template <class Names>
std::string closest(std::string_view word, const Names& names) {
  std::string best;
  std::size_t best_distance = word.size() / 2 + 1;
  for (const auto& name : names) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
  }
  return best;
}

/// The remedy for an unknown name: "did you mean ...?" with the closest of `names`, or
/// `otherwise` when none is similar.
template <class Names>
std::string suggest(std::string_view word, const Names& names, std::string otherwise) {
  const std::string near = closest(word, names);
  return near.empty() ? otherwise : "did you mean '" + near + "'?";
}

/// Returns the index of `name` in `names`. If it is not there, throws UsageError with
/// `problem`, in which {} stands for the name, and suggests a name.
std::size_t index_of_name(std::string_view name, std::span<const std::string_view> names,
                          std::string_view problem);

}  // namespace megadapt
