#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "megadapt/model.hpp"
#include "models/predictors.hpp"

namespace megadapt::sample {

// Property tests draw the same models in every run, unless RC_PARAMS is set already.
inline const int kSeedIsFixed = setenv("RC_PARAMS", "seed=2006", 0);

/// A new empty folder, removed at the end.
class TempFolder {
 public:
  TempFolder() {
    static std::atomic<int> counter{0};
    path_ = std::filesystem::path(testing::TempDir()) /
            fmt::format("megadapt-{}-{}", getpid(), counter++);
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A maxent model over `names`; `weights` is [F][Y].
inline Model make_model(const std::vector<std::string>& names,
                        std::vector<std::string> labels,
                        const std::vector<double>& weights) {
  auto index = std::make_shared<NameIndex>();
  for (const auto& name : names) index->add(name);
  Model model;
  model.info.system = "mix";
  model.info.target = "in";
  model.info.domains = {{"out", 12, std::nullopt}, {"in", 3, 0.25}};
  model.info.options = {{"variance", "0.1"}, {"tolerance", "1e-4"}};
  model.info.seed = 0xffffffffffffffff;
  model.info.sources = {{"news \"a\".txt", "00ff", 12, "out"},
                        {"calls.txt", "ab", 3, "in"}};
  model.info.created_by = "megadapt test";
  model.recipe = std::make_shared<Recipe>(Recipe{.text = {2, 3, false}});
  model.features = index->view();
  model.labels = std::move(labels);
  model.predictor = std::make_unique<MaxentPredictor>(
      static_cast<std::uint32_t>(model.labels.size()), weights);
  model.storage = index;
  return model;
}

inline Model small_model() {
  Model model = make_model(
      {"", "w=bank", "tab\there", "line\nbreak \\ \x01\x7f", "\xff\xfe"}, {"A", "B", "C c"},
      {0.5, -0.25, 0, 1e-30, 3, -0.0, 1. / 3, 2, 1, 1e30, 0, 0, 7, 8, 9});
  model.binning.features.add("age");
  model.binning.features.add("height");
  model.binning.begin = {0, 2, 3};
  model.binning.edges = {18.5F, 65, 1.8F};
  return model;
}

/// Returns a model with names of random bytes and weights of random bits, all finite.
inline Model random_model(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) { return random() % limit; };
  std::vector<std::string> labels(1 + below(20));
  for (std::size_t y = 0; y < labels.size(); ++y) labels[y] = fmt::format("{}\n", y);
  NameIndex names;
  const std::uint32_t num_features = below(40);
  while (names.size() < num_features) {
    std::string name(below(12), ' ');
    for (char& c : name) c = static_cast<char>(below(256));
    names.add(name);
  }
  std::vector<double> weights(num_features * labels.size());
  for (double& weight : weights) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value;
    std::memcpy(&value, &bits, sizeof value);
    weight = std::isfinite(value) ? value : 0;
  }
  return make_model(names.names(), labels, weights);
}

}  // namespace megadapt::sample
