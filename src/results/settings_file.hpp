#pragma once

// Reads back what `compare --json` wrote. Both functions throw InputError for other files.

#include <map>
#include <string>

#include "megadapt/systems.hpp"

namespace megadapt {

/// Returns what a comparison chose for each of its systems.
std::map<std::string, Settings> read_settings(const std::string& path);

/// A system and the options that its fit needs.
struct KnownFit {
  std::string system;
  Options options;
};

/// Returns what a comparison chose for `system`, "" for its best one.
KnownFit read_fit(const std::string& path, const std::string& system);

}  // namespace megadapt
