#include "cli/options/output_check.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.hpp"
#include "megadapt/error.hpp"

namespace megadapt::cli {

void check_model_output(const std::string& path, const CommonOptions& common) {
  if (common.json && path == "-") {
    throw UsageError("--json and the model would both go to standard output",
                     "write the model to a file: -o m.mega");
  }
  std::error_code none;
  const auto type = std::filesystem::status(path, none).type();
  const bool file = type == std::filesystem::file_type::regular ||
                    type == std::filesystem::file_type::not_found;
  if (type == std::filesystem::file_type::directory) {
    throw UsageError(fmt::format("{}: cannot write: it is a directory", path),
                     "give the name of a file");
  }
  if (path != "-" && file) AtomicFile probe(path);
}

}  // namespace megadapt::cli
