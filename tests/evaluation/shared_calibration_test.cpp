// The temperature that tuning keeps must not cost more than 1% of log loss on new rows, on
// any of the five tasks, if they are available. The target's own rows are enough to see that.
#include <gmock/gmock.h>

#include <filesystem>

#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

struct SharedFiles {
  const char* task;  ///< "": rows
  const char* train;
  const char* test;
};

constexpr SharedFiles kTasks[] = {
    {"pos", "pos/in.train.conll.gz", "pos/in.test.conll.gz"},
    {"mention", "mention-tagging/in.train.conll.gz", "mention-tagging/in.test.conll.gz"},
    {"mention-type", "mention-type/in.train.jsonl.gz", "mention-type/in.test.jsonl.gz"},
    {"recap", "recap/in-swb.train.txt.gz", "recap/in-swb.test.txt.gz"},
    {"", "sentiment/in.train.txt.gz", "sentiment/in.test.txt.gz"}};

double log_loss(const Dataset& train, const Dataset& test, const Options& options,
                const Execution& exec) {
  CompareOptions plain{.systems = {"onlyi"}};
  plain.tune = false;
  plain.tuning.base = options;
  return compare(train, 0, &test, plain, exec).systems[0].evaluation.log_loss;
}

TEST(SharedCalibration, NeverCostsMoreThanOnePercent) {
  const std::string folder = MEGADAPT_SHARED_FOLDER "/data/";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << "the tasks are not here: " << folder;
  }
  const Execution exec;
  for (const SharedFiles& files : kTasks) {
    SCOPED_TRACE(files.train);
    Recipe recipe;
    if (*files.task != '\0') recipe.task = TaskOptions{.task = files.task};
    const Dataset train = read_dataset({{"in", folder + files.train}}, recipe);
    const Dataset test = read_test_rows(folder + files.test, train, 0);
    TuneOptions tuning{.folds = 3, .fixed = {"variance", "prior-exponent"}};
    tuning.calibrate = true;
    const Tuned tuned = tune(train, "onlyi", 0, tuning, exec);
    Options uncalibrated = tuned.options;
    uncalibrated.calibration.reset();
    const double before = log_loss(train, test, uncalibrated, exec);
    const double after = log_loss(train, test, tuned.options, exec);
    std::printf("%-32s %.4f, calibrated %.4f (temperature %.3f)\n", files.train, before,
                after, tuned.options.calibration.value_or(1));
    EXPECT_LE(after, 1.01 * before);
  }
}

}  // namespace
}  // namespace megadapt
