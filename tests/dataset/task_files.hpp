#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

/// A folder for the files of one test.
class TaskFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) {
    const auto path = folder_ / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("sequence-") +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

inline std::vector<std::string> names_of(const Dataset& data, std::size_t row) {
  std::vector<std::string> names;
  for (const std::uint32_t f : data.rows[row].features) {
    names.emplace_back(data.features().name(f));
  }
  return names;
}

}  // namespace megadapt
