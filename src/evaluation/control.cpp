#include "evaluation/control.hpp"

#include <utility>

#include "base/random.hpp"
#include "dataset/select_rows.hpp"
#include "evaluation/scores/score_rows.hpp"

namespace megadapt {
Dataset with_permuted_domains(Dataset data, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t n = data.domain.size(); n > 1; --n) {
    std::swap(data.domain[n - 1], data.domain[random.below(static_cast<std::uint32_t>(n))]);
  }
  return data;
}

void run_control(const Dataset& train, std::uint32_t target, const Dataset* test,
                 const std::vector<Split>& splits, std::uint64_t seed,
                 const Execution& exec, Comparison& comparison) {
  const FitContext context{
      .exec = exec, .on_progress = [&](const Progress&) { exec.throw_if_stopped(); }};
  std::vector<Predictions> predicted(comparison.systems.size());
  std::vector<std::size_t> rows;
  const Dataset& tested = test ? *test : train;
  for (std::size_t s = 0; s < splits.size(); ++s) {
    const Dataset permuted =
        with_permuted_domains(test ? train : select_rows(train, splits[s].train), seed + s);
    rows.insert(rows.end(), splits[s].held_out.begin(), splits[s].held_out.end());
    for (std::size_t i = 0; i < comparison.systems.size(); ++i) {
      const SystemResult& result = comparison.systems[i];
      if (!result.left_out.empty()) continue;
      exec.throw_if_stopped();
      const auto model =
          find_system(result.name).fit(permuted, target, result.fold_options[s], context);
      append(predict_rows(*model, tested, splits[s].held_out, target, exec), predicted[i]);
    }
  }
  for (std::size_t i = 0; i < comparison.systems.size(); ++i) {
    SystemResult& result = comparison.systems[i];
    if (!result.left_out.empty()) continue;
    result.permuted = evaluate_rows(tested, rows, train.num_labels(), predicted[i], seed);
  }
}

}  // namespace megadapt
