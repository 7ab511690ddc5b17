#include "base/folder.hpp"

#include <dirent.h>
#include <ftw.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <string_view>

namespace megadapt {

std::vector<std::string> names_in(const std::string& folder) {
  struct Close {
    void operator()(DIR* open) const { closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(opendir(folder.c_str()));
  if (!open && errno == ENOMEM) throw std::bad_alloc();
  std::vector<std::string> names;
  if (!open) return names;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

void remove_tree(const std::string& path) noexcept {
  const auto remove_one = [](const char* name, const struct stat*, int, struct FTW*) {
    return std::remove(name);
  };
  constexpr int kOpenFolders = 16;
  const auto remove_all = [&] {
    return nftw(path.c_str(), remove_one, kOpenFolders, FTW_DEPTH | FTW_PHYS) == 0;
  };
  if (!remove_all()) remove_all();  // it may have been short of memory
}

}  // namespace megadapt
