#pragma once

#include <string>
#include <vector>

namespace megadapt {

// In place of std::filesystem, whose functions end the program if they run out of memory in
// the middle of a folder.

/// Returns the names of what is in a folder, sorted. If it cannot be read, returns what could
/// be read, or nothing.
std::vector<std::string> names_in(const std::string& folder);

/// Removes a file, or a folder with all that is in it, as far as that is possible.
void remove_tree(const std::string& path) noexcept;

}  // namespace megadapt
