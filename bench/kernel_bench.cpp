// Times the inner loops of training per non-zero.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "mega/presence_step.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"
#include "optimize/maxent_objective.hpp"

namespace megadapt {
namespace {

// Rows of two domains with `active` features whose frequencies fall as 1 / (rank + 8).
Dataset zipf_rows(std::size_t rows, std::uint32_t features, std::size_t active,
                  std::uint32_t labels) {
  Random random(1);
  Dataset data;
  for (std::uint32_t f = 0; f < features; ++f)
    data.own_schema().features.add(fmt::format("f{}", f));
  for (std::uint32_t y = 0; y < labels; ++y)
    data.own_schema().labels.add(fmt::format("y{}", y));
  for (const char* domain : {"out", "in"}) data.own_schema().domains.add(domain);
  RowBuilder builder(data);
  std::vector<std::size_t> last(features, rows);
  const double most = std::log((features + 8) / 8.0);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t i = 0; i < active; ++i) {
      const double rank = 8 * std::exp(random.uniform() * most) - 8;
      const auto f = std::min(static_cast<std::uint32_t>(rank), features - 1);
      if (std::exchange(last[f], n) != n) builder.add(f);
    }
    builder.end({.label = random.below(labels), .domain = n % 20 == 0 ? 1U : 0U});
  }
  return data;
}

std::vector<std::size_t> all_rows(const Dataset& data) {
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

void per_nonzero(benchmark::State& state, std::size_t nonzeros) {
  state.counters["per_nonzero"] = benchmark::Counter(
      static_cast<double>(nonzeros) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Arguments: labels, threads.
class Objective : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State& state) override {
    const auto labels = static_cast<std::uint32_t>(state.range(0));
    data_ = zipf_rows(100000, 200000, 25, labels);
    exec_ = std::make_unique<Execution>(static_cast<int>(state.range(1)));
    rows_ = all_rows(data_);
    tiles_ = std::make_unique<TiledRows>(
        data_.rows, separate_columns(data_.rows, data_.num_features(), rows_, *exec_),
        rows_, label_stride(labels), *exec_);
    weight_.assign(data_.num_examples(), 1);
    objective_ = std::make_unique<MaxentObjective<float>>(
        *tiles_, data_.label, weight_, labels, 1.0, std::span<const float>(),
        std::span<const float>(), *exec_);
    point_.assign(objective_->dimension(), 0);
    out_.assign(objective_->dimension(), 0);
    objective_->value(point_);
    objective_->gradient(point_, out_);
    point_ = out_;
  }
  void TearDown(const benchmark::State&) override {
    objective_.reset();
    tiles_.reset();
  }

 protected:
  Dataset data_;
  std::unique_ptr<Execution> exec_;
  std::vector<std::size_t> rows_;
  std::unique_ptr<TiledRows> tiles_;
  std::vector<float> weight_;
  std::unique_ptr<MaxentObjective<float>> objective_;
  std::vector<float> point_, out_;
};

BENCHMARK_DEFINE_F(Objective, Gradient)(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(objective_->value(point_));
    objective_->gradient(point_, out_);
  }
  per_nonzero(state, data_.rows.nonzeros());
}

BENCHMARK_DEFINE_F(Objective, HessianProduct)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(objective_->hessian_product(point_, out_));
  per_nonzero(state, data_.rows.nonzeros());
}

BENCHMARK_REGISTER_F(Objective, Gradient)
    ->Args({2, 1})
    ->Args({6, 1})
    ->Args({6, 2})
    ->Args({17, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_REGISTER_F(Objective, HessianProduct)
    ->Args({2, 1})
    ->Args({6, 1})
    ->Args({6, 2})
    ->Args({17, 1})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// One sweep over psi of the general component. Arguments: rows, features.
void sweep(benchmark::State& state) {
  const Dataset data = zipf_rows(static_cast<std::size_t>(state.range(0)),
                                 static_cast<std::uint32_t>(state.range(1)), 25, 2);
  std::vector<std::uint32_t> chosen(data.num_features());
  std::iota(chosen.begin(), chosen.end(), 0);
  const GateColumns columns(data, chosen);
  const std::vector<std::size_t> rows = all_rows(data);
  const std::vector<double> half(rows.size(), 0.5);
  std::vector<double> presence;
  for (auto _ : state) {
    presence.assign(data.num_features(), 0.5);
    maximise_presence({columns, kNone, rows, half, half, {}, 1, false}, presence);
    benchmark::DoNotOptimize(presence.data());
  }
  per_nonzero(state, data.rows.nonzeros());
}

BENCHMARK(sweep)
    ->Args({100000, 200000})
    ->Args({100000, 400000})
    ->Args({1000000, 200000})
    ->Args({1000000, 400000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace megadapt
