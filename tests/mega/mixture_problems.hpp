#pragma once

#include <rapidcheck.h>

#include <sstream>

#include "mega/fit_mixture.hpp"
#include "megadapt/training.hpp"
#include "support/random_data.hpp"

namespace megadapt::testing_support {

/// Three rows of one domain and two of another over three features, made by hand. Feature 0
/// is the bias; no row of domain 1 has feature 3.
inline Dataset tiny_problem(std::uint32_t domains = 2, std::uint32_t labels = 2) {
  Dataset data;
  for (const char* name : {"", "a", "b", "c"}) data.own_schema().features.add(name);
  for (std::uint32_t y = 0; y < labels; ++y)
    data.own_schema().labels.add(fmt::format("y{}", y));
  for (std::uint32_t d = 0; d < domains; ++d)
    data.own_schema().domains.add(fmt::format("d{}", d));
  add_row(data, {0, 1, 3}, 0, 0);
  add_row(data, {0, 2}, 1, 0, 0.5f);
  add_row(data, {0, 1, 2, 3}, labels - 1, 0, 2);
  add_row(data, {0, 1}, 1, 1);
  add_row(data, {0, 1, 2}, 0, domains - 1);
  if (domains == 3) add_row(data, {0}, 0, 1);
  return data;
}

inline const Execution& one_thread() {
  static const Execution one(1);
  return one;
}

/// Double kernels and the tightest fits, so that any difference comes from the algorithm.
inline MixtureOptions exact_options() {
  MixtureOptions options;
  options.precision = Precision::double_;
  options.tolerance = 1e-14;
  return options;
}

/// Returns a random problem with `domains` domains of uneven sizes, a row of weight 0 and a
/// row without features.
inline Dataset random_problem(std::uint64_t seed, std::uint32_t domains = 2) {
  Random random(seed);
  RandomShape shape;
  shape.rows = 12 + random.below(40);
  shape.features = 3 + random.below(12);
  shape.labels = 2 + random.below(3);
  shape.domains = domains;
  shape.density = 0.1 + 0.4 * random.uniform();
  shape.values = random.below(3) == 0;
  shape.weights = random.below(2) == 0;
  shape.bias = random.below(4) > 0;
  Dataset data = random_data(shape, seed + 1);
  for (std::size_t n = domains; n < data.num_examples(); ++n) {
    if (random.below(2) == 0) data.domain[n] = 0;
  }
  data.weight.back() = 0;
  add_row(data, {}, 0, domains - 1);
  return data;
}

/// Returns random options for which the laws of the training E-step hold.
inline MixtureOptions random_options(std::uint64_t seed, std::uint32_t domains) {
  Random random(seed + 77);
  MixtureOptions options = exact_options();
  options.rounds = 2 + static_cast<int>(random.below(5));
  options.variance = std::pow(10, 2 * random.uniform() - 1);
  options.specific_variance = random.below(2) == 0 ? 0 : 0.3;
  options.beta.a = random.below(2) == 0 ? 1 : 1 + 2 * random.uniform();
  options.beta.b = random.below(2) == 0 ? 2 : 1 + 2 * random.uniform();
  options.gate_features = random.below(3) == 0 ? 3 : 0;
  options.psi_sweeps = 1 + static_cast<int>(random.below(4));
  for (std::uint32_t d = 0; d < domains; ++d) {
    options.first_share.push_back(0.1 + 0.8 * random.uniform());
  }
  return options;
}

/// Returns whether `law(seed)` passes for `cases` random seeds, the same in every run, and
/// how it failed. The law uses RC_ASSERT for what must hold.
template <class Law>
testing::AssertionResult holds(int cases, Law law) {
  rc::detail::TestParams params;
  params.seed = 2006;
  params.maxSuccess = cases;
  const auto result =
      rc::detail::checkTestable([&] { law(*rc::gen::inRange<std::uint64_t>(0, 1u << 30)); },
                                rc::detail::TestMetadata(), params);
  if (result.template is<rc::detail::SuccessResult>()) return testing::AssertionSuccess();
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return testing::AssertionFailure() << text.str();
}

}  // namespace megadapt::testing_support
