#include "systems/memory.hpp"

#include <gmock/gmock.h>

#include "megadapt/error.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing_support::random_data;

double part(const Dataset& data, const char* system, const Options& options,
            std::string_view name) {
  for (const MemoryPart& one : training_memory(data, find_system(system), options)) {
    if (one.name == name) return one.bytes;
  }
  throw std::out_of_range(std::string(name));
}

TEST(TrainingMemory, FollowsTheFormula) {
  const Dataset data =
      random_data({.rows = 100, .features = 9, .labels = 3, .domains = 2}, 1);
  // Ten features with the bias; three labels are padded to four; one tile of 100 rows.
  const auto nonzeros = static_cast<double>(data.rows.nonzeros());
  EXPECT_EQ(part(data, "mix", {}, "rows"), 20 * nonzeros + 48 * 100);
  EXPECT_EQ(part(data, "mix", {}, "residuals"), 2 * 100 * 4 * 4);
  EXPECT_EQ(part(data, "mix", {}, "optimiser"), 8 * 10 * 4 * 4);
  EXPECT_EQ(part(data, "mix", {}, "weights"), 10 * 3 * 8);
  Options options;
  options.precision = Precision::double_;
  EXPECT_EQ(part(data, "mix", options, "residuals"), 2 * 100 * 4 * 8);
  // One set of weights for each of two domains and one for all, fitted together or one
  // after another.
  EXPECT_EQ(part(data, "easyadapt", {}, "optimiser"), 3 * 8 * 10 * 4 * 4);
  EXPECT_EQ(part(data, "easyadapt", {}, "weights"), 3 * 10 * 3 * 8);
  EXPECT_EQ(part(data, "megam", {}, "optimiser"), 8 * 10 * 4 * 4);
  EXPECT_EQ(part(data, "megam", {}, "weights"), 3 * 10 * 3 * 8);
}

TEST(TrainingMemory, CountsTheCopyOfTheRowsThatClassWeightsMake) {
  const Dataset data = random_data({.rows = 100, .domains = 2}, 1);
  ASSERT_FALSE(data.rows.has_values());
  Options options;
  EXPECT_EQ(training_memory(data, find_system("mix"), options).size(), 4u);
  options.class_weight.balanced = true;
  EXPECT_EQ(part(data, "mix", options, "rows with weights"),
            4 * static_cast<double>(data.rows.nonzeros()) + 24 * 100);
}

TEST(TrainingMemory, CountsUnlabelledRowsUnlessTheirWeightIsZero) {
  Dataset data = random_data({.rows = 100, .labels = 3, .domains = 2}, 1);
  data.unlabelled =
      std::make_shared<Dataset>(random_data({.rows = 300, .labels = 3, .domains = 2}, 2));
  const auto labelled = static_cast<double>(data.rows.nonzeros());
  const auto unlabelled = static_cast<double>(data.unlabelled->rows.nonzeros());
  EXPECT_EQ(part(data, "prior", {}, "residuals"), 2 * 400 * 4 * 4);
  // The rows themselves, a copy of all rows, and shares of 8 bytes for each of three labels.
  EXPECT_EQ(
      part(data, "prior", {}, "unlabelled rows"),
      20 * unlabelled + 48 * 300 + 4 * (labelled + unlabelled) + 24 * 400 + 8 * 3 * 300);
  EXPECT_GT(part(data, "pool", {}, "unlabelled rows"), 0);
  Options options;
  options.unlabelled_weight = 0;
  EXPECT_EQ(training_memory(data, find_system("prior"), options).size(), 4u);
}

TEST(TrainingMemory, OfManyLabelsIsBounded) {
  Dataset data;
  data.own_schema().features.add("");
  for (int y = 0; y < 10000; ++y) data.own_schema().labels.add(fmt::format("y{}", y));
  data.own_schema().domains.add("d");
  RowBuilder rows(data);
  for (int n = 0; n < 100000; ++n) {
    rows.add(0, 1);
    rows.end({.label = 0, .domain = 0});
  }
  EXPECT_LE(part(data, "mix", {}, "residuals"), 500e6);
  EXPECT_GE(part(data, "mix", {}, "residuals"), 100e6);
}

TEST(TrainingMemory, IsRefusedAboveTheLimit) {
  const Dataset data = random_data({.domains = 2}, 1);
  refuse_memory(data, find_system("mix"), {}, 1 << 30, serial_communicator());
  try {
    refuse_memory(data, find_system("mix"), {}, 1000, serial_communicator());
    FAIL() << "1000 bytes were enough";
  } catch (const ResourceError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--memory-limit is 1000 bytes: rows "));
    EXPECT_THAT(error.what(), testing::HasSubstr(" KiB, residuals "));
  }
}

}  // namespace
}  // namespace megadapt
