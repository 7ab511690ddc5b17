// Times the phases of training separately: reading with the vocabulary, taking the same rows
// from a row cache, preparing them, passes of the solver, and prediction of the same rows.
// Prints JSON for bench/run.
//
//     phases FILE THREADS FOLDER      FOLDER is that of the row cache

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/training.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent.hpp"
#include "row_cache/row_cache.hpp"

namespace {

constexpr std::size_t kPredictions = 5;  // the median is printed

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns the seconds until the rows are there, the digest of the file included.
double time_cache(const megadapt::RowInput& input, const std::string& folder) {
  Stopwatch watch;
  const megadapt::RowCache cache(folder, input);
  const std::optional<megadapt::InputRows> rows = cache.load();
  const double seconds = watch.lap();
  if (!rows) throw megadapt::UsageError("the row cache is empty");
  return seconds;
}

void time_phases(const std::string& file, int threads, const std::string& folder) {
  const megadapt::Execution exec(threads);
  Stopwatch watch;
  // The data already have a bias feature.
  const megadapt::RowInput input{.files = {{"all", file}}, .recipe = {.bias = false}};
  megadapt::InputRows read_rows{.data = megadapt::read_dataset(input.files, input.recipe)};
  const double read = watch.lap();
  megadapt::RowCache(folder, input).store(read_rows);
  const double cached = time_cache(input, folder);
  const megadapt::Dataset& data = read_rows.data;
  watch.lap();
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), 0);
  const megadapt::MaxentProblem problem(data, rows, exec);
  const double prepare = watch.lap();
  const megadapt::MaxentFit fit = problem.fit({}, {}, exec);
  const double solve = watch.lap();
  const megadapt::MaxentPredictor predictor(data.num_labels(), fit.weights);
  const std::size_t labels = data.num_labels();
  std::vector<double> predict(kPredictions);
  for (double& seconds : predict) {
    watch.lap();
    // Like NumPy, do not write zeros first.
    const auto probability =
        std::make_unique_for_overwrite<double[]>(data.num_examples() * labels);
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      predictor.predict(data.rows[n], 0, {probability.get() + n * labels, labels});
    }
    seconds = watch.lap();
  }
  std::nth_element(predict.begin(), predict.begin() + kPredictions / 2, predict.end());
  fmt::print(
      R"({{"bytes": {}, "rows": {}, "nonzeros": {}, "read_seconds": {}, )"
      R"("cached_seconds": {}, "prepare_seconds": {}, "solve_seconds": {}, "passes": {}, "objective": {}, )"
      R"("gap": {}, "predict_seconds": {}}})"
      "\n",
      std::filesystem::file_size(file), data.num_examples(), data.rows.nonzeros(), read,
      cached, prepare, solve, fit.passes, fit.objective, fit.gap,
      predict[kPredictions / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: phases FILE THREADS FOLDER\n");
    return 2;
  }
  try {
    time_phases(argv[1], std::atoi(argv[2]), argv[3]);
  } catch (const megadapt::Error& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
  return 0;
}
