#include "dataset/repeated_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string>

namespace megadapt {

void refuse_repeated_files(const std::vector<DomainFile>& files) {
  std::set<std::string> seen;
  for (const DomainFile& file : files) {
    std::error_code none;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(file.file, none);
    if (!seen.insert(none ? file.file : whole.string()).second) {
      throw UsageError(fmt::format("the file {} is given twice", file.file),
                       "give each file once; repeat a row's weight with $$$WEIGHT instead");
    }
  }
}

}  // namespace megadapt
