#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "support/run_command.hpp"

namespace megadapt {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::CommandResult;
using testing_support::expect_golden;
using testing_support::RunningCommand;

/// Runs the program in a temporary folder, which is deleted after the test.
class Cli : public testing::Test {
 protected:
  Cli() {
    std::string pattern = testing::TempDir() + "/megadapt-cli-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  static std::vector<std::string> command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), MEGADAPT_PROGRAM);
    return arguments;
  }
  CommandResult run(std::vector<std::string> arguments,
                    const std::string& input = {}) const {
    return testing_support::run_command(command(std::move(arguments)), folder_, input);
  }
  /// Runs the program; expects success and nothing on stderr. Many tests evaluate on their
  /// few training rows, so the warning about that is allowed.
  std::string output_of(std::vector<std::string> arguments,
                        const std::string& input = {}) const {
    const CommandResult result = run(std::move(arguments), input);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (!result.err.starts_with("warning: the model was trained on ")) {
      EXPECT_EQ(result.err, "");
    }
    return result.out;
  }
  nlohmann::json json_of(std::vector<std::string> arguments,
                         const std::string& input = {}) const {
    return nlohmann::json::parse(output_of(std::move(arguments), input));
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  /// Returns the files in the folder, so that tests can notice left-over files.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  const std::string& folder() const { return folder_; }

  /// Two small domains with few words; `train_weather` writes weather.mega.
  static std::string calls() {
    return "sun\twarm dry\nsun\twarm bright\nrain\tcold wet\nrain\twet dark\n";
  }
  static std::string news() {
    return "sun\tdry bright\nsun\twarm\nrain\tdark cold\nrain\twet cold\nsun\twet warm\n";
  }
  void train_weather(const std::string& system = "mix") const {
    write("calls.txt", calls());
    write("news.txt", news());
    output_of({"train", "--quiet", "--system", system, "--domain", "news=news.txt",
               "--domain", "calls=calls.txt", "--target", "calls", "--tolerance", "1e-9",
               "-o", "weather.mega"});
  }

 private:
  std::string folder_;
};

}  // namespace megadapt
