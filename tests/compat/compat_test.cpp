// This version reads files of every released version: see README.md in this folder.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "container/crc32c.hpp"
#include "megadapt/error.hpp"
#include "support/run_command.hpp"

namespace megadapt {
namespace {

using nlohmann::json;
using testing_support::CommandResult;

const std::string kFolder = MEGADAPT_COMPAT_FOLDER;

// Weights are stored, so predictions differ only by rounding. A refit also depends on the
// processor's kernels, and stops when it is close enough to the optimum.
constexpr double kRounding = 1e-12;
constexpr double kRefit = 1e-3;

std::string read_text(const std::string& name) {
  std::ifstream file(kFolder + "/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Returns the cases of version 0.1, whose files are in the folder itself.
std::vector<json> read_cases(const char* kind) {
  return json::parse(read_text("cases.json")).at(kind).get<std::vector<json>>();
}

/// Returns the predictions of all versions; each later one has a folder.
std::vector<json> read_predictions() {
  std::vector<json> all = read_cases("predictions");
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (!std::filesystem::exists(entry.path() / "cases.json")) continue;
    const std::string version = entry.path().filename();
    for (json one : json::parse(read_text(version + "/cases.json"))) {
      one["name"] = "v" + version + "-" + one.at("name").get<std::string>();
      all.push_back(one);
    }
  }
  return all;
}

/// Runs the program in the folder of the files and expects success.
std::string output_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), MEGADAPT_PROGRAM);
  const CommandResult result = testing_support::run_command(arguments, kFolder);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

/// Returns the JSON values of a text, in order.
std::vector<json> values_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<json> values;
  while (in >> std::ws && !in.eof()) in >> values.emplace_back();
  return values;
}

bool is_probability_table(const std::string& name) {
  return name == "probabilities" || name == "marginals";
}

/// Expects `actual` to contain everything in `expected`. A later version may add members,
/// but no probabilities of further labels.
void expect_same(const json& expected, const json& actual, const std::string& where,
                 bool closed = false) {
  if (expected.is_number() && actual.is_number()) {
    EXPECT_NEAR(expected.get<double>(), actual.get<double>(), kRounding) << where;
  } else if (expected.is_object() && actual.is_object()) {
    if (closed) {
      EXPECT_EQ(expected.size(), actual.size()) << where;
    }
    for (const auto& [name, value] : expected.items()) {
      ASSERT_TRUE(actual.contains(name)) << where << " has no " << name;
      expect_same(value, actual.at(name), where + "/" + name,
                  closed || is_probability_table(name));
    }
  } else if (expected.is_array() && actual.is_array()) {
    ASSERT_EQ(expected.size(), actual.size()) << where;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expect_same(expected[i], actual[i], where + "/" + std::to_string(i), closed);
    }
  } else {
    EXPECT_EQ(expected, actual) << where;
  }
}

std::string case_name(const testing::TestParamInfo<json>& info) {
  std::string name = info.param.at("name");
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

class CompatPrediction : public testing::TestWithParam<json> {};

TEST_P(CompatPrediction, IsThatOfItsVersion) {
  const std::string file = GetParam().at("expected");
  const std::string expected = read_text(file);
  const std::string actual = output_of(GetParam().at("arguments"));
  if (file.ends_with(".txt")) {
    EXPECT_EQ(expected, actual);
    return;
  }
  expect_same(json(values_of(expected)), json(values_of(actual)), file);
}

INSTANTIATE_TEST_SUITE_P(Models, CompatPrediction, testing::ValuesIn(read_predictions()),
                         case_name);

std::string result_file(const json& result) {
  return "results/" + result.at("name").get<std::string>() + ".json";
}

class CompatResult : public testing::TestWithParam<json> {};

TEST_P(CompatResult, MakesAReport) {
  const std::string file = result_file(GetParam());
  const json result = json::parse(read_text(file));
  const std::string page = output_of({"report", file});
  EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
  if (result.contains("verdict")) {
    EXPECT_THAT(page, testing::HasSubstr(result.at("verdict").get<std::string>()));
  }
}

INSTANTIATE_TEST_SUITE_P(Results, CompatResult, testing::ValuesIn(read_cases("results")),
                         case_name);

class CompatSettings : public testing::TestWithParam<json> {};

// A comparison that is given the settings of version 0.1 uses them, tunes nothing again,
// and reaches the recorded log loss. The settings of a stack are its weights. They are not
// compared, because they may be printed differently.
TEST_P(CompatSettings, AreUsedAndNotTunedAgain) {
  const json before = json::parse(read_text(result_file(GetParam())));
  std::map<std::string, json> tuned;
  for (const json& system : before.at("systems")) {
    tuned[system.at("name")] = system.at("tuned");
  }
  const json& refit = GetParam().at("refit");
  const json result = json::parse(output_of(refit.at("arguments")));
  ASSERT_EQ(result.at("systems").size(), refit.at("log_loss").size());
  for (const json& system : result.at("systems")) {
    const std::string name = system.at("name");
    if (name != "stack") expect_same(tuned.at(name), system.at("tuned"), name, true);
    EXPECT_TRUE(system.value("tried", json::array()).empty()) << name;
    EXPECT_NEAR(refit.at("log_loss").at(name), system.at("log_loss"), kRefit) << name;
  }
}

std::vector<json> read_comparisons() {
  std::vector<json> results = read_cases("results");
  std::erase_if(results, [](const json& result) { return !result.contains("refit"); });
  return results;
}

INSTANTIATE_TEST_SUITE_P(Results, CompatSettings, testing::ValuesIn(read_comparisons()),
                         case_name);

/// Unfinished work of version 0.1 cannot be resumed. The command might write into its
/// folder, so it runs in a copy.
class Refused : public testing::TestWithParam<json> {};

TEST_P(Refused, WithARemedyAndUntouched) {
  const std::filesystem::path copy =
      std::filesystem::path(testing::TempDir()) /
      ("compat-" + GetParam().at("name").get<std::string>() + std::to_string(getpid()));
  std::filesystem::copy(kFolder, copy, std::filesystem::copy_options::recursive);
  auto arguments = GetParam().at("arguments").get<std::vector<std::string>>();
  arguments.insert(arguments.begin(), MEGADAPT_PROGRAM);
  const CommandResult result = testing_support::run_command(arguments, copy.string());
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_THAT(result.err, testing::StartsWith("error: refused/"));
  EXPECT_THAT(result.err, testing::HasSubstr("\nfix: remove it to start again"));
  EXPECT_FALSE(std::filesystem::exists(copy / "refused/model.mega"));
  std::filesystem::remove_all(copy);
}

INSTANTIATE_TEST_SUITE_P(Compat, Refused, testing::ValuesIn(read_cases("refused")),
                         case_name);

/// A model as version 0.2 writes it, and the same model with an unknown name in its section
/// "needs", which is how later versions will name what this one does not know.
class TooNew : public testing::Test {
 protected:
  TooNew() {
    std::string pattern = testing::TempDir() + "/megadapt-too-new-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    run({"model", "export", kFolder + "/0.2/models/tfidf.mega", "-o", "model.txt"});
  }
  ~TooNew() override { std::filesystem::remove_all(folder_); }

  CommandResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), MEGADAPT_PROGRAM);
    return testing_support::run_command(arguments, folder_);
  }
  std::string exported() const {
    std::ifstream file(folder_ + "/model.txt", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  CommandResult import(std::string text, const std::string& from,
                       const std::string& to) const {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    if (at != text.npos) text.replace(at, from.size(), to);
    std::ofstream(folder_ + "/model.txt", std::ios::binary) << text;
    return run({"model", "import", "model.txt", "-o", "model.mega"});
  }

  std::string folder_;
};

// Replaces text in the section "needs" and mends the checksums of section, table and header
// (docs/model-file.md).
std::string needing(std::string bytes, const std::string& from, const std::string& to) {
  EXPECT_EQ(from.size(), to.size());
  bytes.replace(bytes.find(from), from.size(), to);
  const auto load = [&](std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  const auto sign = [&](std::size_t first, std::size_t size, std::size_t at) {
    const auto part = std::as_bytes(std::span(bytes.data() + first, size));
    const std::uint32_t crc = crc32c(part);
    std::memcpy(bytes.data() + at, &crc, sizeof crc);
  };
  constexpr std::size_t kHeader = 64, kEntry = 32;
  const std::size_t entry = bytes.find("needs") - kEntry;
  sign(load(entry), load(entry + 8), entry + 16);
  sign(kHeader, load(24), 40);
  sign(0, 60, 60);
  return bytes;
}

TEST_F(TooNew, IsSaidByName) {
  std::ofstream(folder_ + "/newer.mega", std::ios::binary)
      << needing(read_text("0.2/models/tfidf.mega"), "scaled values", "dreamt values");
  EXPECT_EQ(run({"inspect", "newer.mega"}).exit_code, 3);
  const CommandResult result = run({"model", "info", "newer.mega"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "error: newer.mega: made by megadapt 0.2.0 and needs what megadapt " +
                std::string(version()) +
                " does not know: dreamt values\n"
                "fix: install megadapt 0.2.0 or a newer version\n");
}

// Version 0.1 reads format 1 only, and says so. If it read such a file, it would ignore
// sections that change predictions.
TEST_F(TooNew, VersionOneIsToldByTheFormat) {
  const auto format = [&](const std::string& model) {
    const CommandResult result = run({"model", "info", model, "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out).at("version").get<int>();
  };
  const auto stored = [](const std::string& model) {
    return static_cast<int>(read_text(model).at(8));  // docs/model-file.md
  };
  for (const std::string model : {"tfidf", "numbers", "word-classes"}) {
    EXPECT_EQ(stored("0.2/models/" + model + ".mega"), 2) << model;
    EXPECT_EQ(format(kFolder + "/0.2/models/" + model + ".mega"), 2) << model;
  }
  EXPECT_EQ(stored("0.2/models/reviews-mix.mega"), 1) << "0.1 can use it";
  EXPECT_EQ(format(kFolder + "/0.2/models/reviews-mix.mega"), 1);
  ASSERT_EQ(import(exported(), "scaled values", "scaled values").exit_code, 0);
  EXPECT_EQ(format("model.mega"), 2) << "importing keeps it";
}

}  // namespace
}  // namespace megadapt
