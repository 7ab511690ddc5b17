// Runs every fuzzing target over its seeds and over a fixed number of mutations of them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "fuzz/targets.hpp"

namespace megadapt::fuzz {
namespace {

constexpr int kMutations = 300;  // per target

std::vector<std::string> seeds_of(const std::string& name) {
  std::vector<std::filesystem::path> files;
  std::vector<std::filesystem::path> folders = {
      std::filesystem::path(MEGADAPT_FUZZ_CORPUS) / name};
  if (name == "model") folders.emplace_back(MEGADAPT_FUZZ_MODELS);
  for (const auto& folder : folders) {
    if (!std::filesystem::exists(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& path : files) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in),
                       std::istreambuf_iterator<char>());
  }
  return seeds;
}

class Mutator {
 public:
  std::string operator()(std::string bytes) {
    for (auto change = 1 + draw(4); change > 0; --change) apply_one(bytes);
    return bytes;
  }
  std::size_t draw(std::size_t below) { return random_() % below; }

 private:
  void apply_one(std::string& bytes) {
    static const std::vector<std::string> words = {"\"",    "{",
                                                   "[",     "]",
                                                   "}",     "\n",
                                                   "\t",    ",",
                                                   ":",     "-1",
                                                   "1e999", "\xff",
                                                   "\\",    "#",
                                                   "null",  "true",
                                                   "  ",    "\r",
                                                   "=",     "|",
                                                   "tag[",  std::string(1, '\0')};
    const std::size_t at = draw(bytes.size() + 1), count = 1 + draw(8);
    switch (draw(bytes.empty() ? 1 : 6)) {
      case 0:
        bytes.insert(at, words[draw(words.size())]);
        break;
      case 1:
        bytes.erase(at, count);
        break;
      case 2:
        bytes[at % bytes.size()] ^= static_cast<char>(1 << draw(8));
        break;
      case 3:
        bytes[at % bytes.size()] = static_cast<char>(draw(256));
        break;
      case 4:
        bytes.insert(at, bytes.substr(draw(bytes.size()), 4 * count));
        break;
      case 5:
        bytes.replace(at, count, std::string(count, "\0\x7f\xff"[draw(3)]));
        break;
    }
  }
  std::mt19937 random_{2006};
};

class FuzzTargets : public testing::TestWithParam<Target> {};

TEST_P(FuzzTargets, TakeSeedsAndTheirMutations) {
  const std::vector<std::string> seeds = seeds_of(std::string(GetParam().name));
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) GetParam().run(seed);
  Mutator mutate;
  for (int i = 0; i < kMutations; ++i) {
    GetParam().run(mutate(seeds[mutate.draw(seeds.size())]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTargets, testing::ValuesIn(targets()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace megadapt::fuzz
