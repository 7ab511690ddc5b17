// The example of docs/derivation.md §9. Its tables are computed here, weights by the
// library and the rest by the definition as well, and must match the document digit for
// digit.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "base/tilted_bernoulli.hpp"
#include "mega/fit_mixture.hpp"
#include "mega/mixture_problems.hpp"
#include "models/predictors.hpp"
#include "oracle/mega.hpp"

namespace megadapt {
namespace {

using testing_support::add_row;

Dataset example() {
  Dataset data;
  for (const char* name : {"a", "b"}) data.own_schema().features.add(name);
  for (const char* name : {"A", "B"}) data.own_schema().labels.add(name);
  for (const char* name : {"out", "in"}) data.own_schema().domains.add(name);
  add_row(data, {0}, 0, 0);
  add_row(data, {0, 1}, 0, 0);
  add_row(data, {1}, 1, 0);
  add_row(data, {0}, 1, 1);
  add_row(data, {1}, 1, 1);
  return data;
}

class WorkedExample : public testing::Test {
 protected:
  // One round, then a second that resumes from it, both with exact fits.
  WorkedExample() : data_(example()), options_(testing_support::exact_options()) {
    options_.psi_sweeps = 1;
    options_.on_step = [&](const MixtureStep& step) { steps_.push_back(step); };
    options_.on_round = [&](const MixtureState& state) { state_ = state; };
    options_.rounds = 1;
    fit_mixture(data_, options_, Execution(1));
    first_ = state_;
    options_.rounds = 2;
    options_.resume = &first_;
    fit_mixture(data_, options_, Execution(1));

    start_.general = {std::vector<double>(4), {0.5, 0.5}};
    start_.domain = {start_.general, start_.general};
    start_.general_share = {0.5, 0.5};
    after_lambda_ = first_.mixture;
    after_lambda_.general.presence = {0.5, 0.5};
    for (Component& own : after_lambda_.domain) own.presence = {0.5, 0.5};
  }

  // The document must contain this line, so it has to change when the numbers do.
  void expect_line(const std::string& line) const {
    static const std::string document = [] {
      std::ifstream in(MEGADAPT_DERIVATION);
      return std::string(std::istreambuf_iterator<char>(in), {});
    }();
    EXPECT_NE(document.find(line + "\n"), std::string::npos) << "missing: " << line;
  }

  const MixtureStep& step(int round, const std::string& name) const {
    for (const MixtureStep& s : steps_) {
      if (s.round == round && s.step == name) return s;
    }
    throw std::logic_error("no step " + name);
  }

  Dataset data_;
  MixtureOptions options_;
  std::vector<MixtureStep> steps_;
  MixtureState state_, first_;
  Mixture start_, after_lambda_;
};

TEST_F(WorkedExample, ExpertsAndPresence) {
  const Mixture& m = first_.mixture;
  const auto expect_component = [&](const char* name, const Component& c) {
    EXPECT_NEAR(c.weights[0], -c.weights[1], 1e-9);  // the weights of two labels sum to 0
    expect_line(fmt::format("| {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} |", name,
                            c.weights[0], c.weights[2], c.presence[0], c.presence[1]));
  };
  expect_component("general", m.general);
  expect_component("out", m.domain[0]);
  expect_component("in", m.domain[1]);
}

TEST_F(WorkedExample, Posteriors) {
  for (std::size_t n = 0; n < data_.num_examples(); ++n) {
    EXPECT_EQ(first_.fitted_general[n], 0.5);  // the experts are still equal
    const Component& own = after_lambda_.domain[data_.domain[n]];
    const RowView row = data_.rows[n];
    std::string features;
    for (const std::uint32_t f : row.features) {
      features += features.empty() ? "" : " ";
      features += data_.features().name(f);
    }
    expect_line(fmt::format("| {} | {} | {} | {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} |",
                            n + 1, data_.domains().name(data_.domain[n]), features,
                            data_.labels().name(data_.label[n]),
                            oracle::label_probability(data_, n, after_lambda_.general),
                            oracle::label_probability(data_, n, own),
                            oracle::responsibility(data_, n, after_lambda_),
                            oracle::gamma(data_, n, first_.mixture)));
  }
}

TEST_F(WorkedExample, SharesOfTheSecondRound) {
  const Mixture& m = first_.mixture;
  for (std::uint32_t d = 0; d < 2; ++d) {
    double P = 0, S = 0;
    const auto rows = data_.rows_of(d);
    for (const std::size_t n : rows) {
      P += oracle::responsibility(data_, n, m);
      S += (oracle::row_probability(data_, n, m.general.presence) -
            oracle::row_probability(data_, n, m.domain[d].presence)) /
           oracle::marginal(data_, n, m);
    }
    const double T = static_cast<double>(rows.size());
    const double share = step(2, "pi").general_share[d];
    EXPECT_NEAR(share, tilted_bernoulli_mode(P, T, S), 1e-9);
    expect_line(fmt::format("| {} | {:.4f} | {:.0f} | {:.4f} | {:.4f} |",
                            data_.domains().name(d), P, T, S, share));
  }
}

TEST_F(WorkedExample, Objective) {
  const auto line = [&](const char* when, double objective) {
    expect_line(fmt::format("| {} | {:.4f} |", when, objective));
  };
  EXPECT_NEAR(step(1, "pi").objective, oracle::objective(data_, start_, options_), 1e-9);
  EXPECT_NEAR(step(1, "lambda").objective,
              oracle::objective(data_, after_lambda_, options_), 1e-9);
  EXPECT_NEAR(step(1, "psi").objective, oracle::objective(data_, first_.mixture, options_),
              1e-9);
  line("start, and round 1 pi", step(1, "pi").objective);
  line("round 1 lambda", step(1, "lambda").objective);
  line("round 1 psi", step(1, "psi").objective);
  line("round 2 pi", step(2, "pi").objective);
  line("round 2 lambda", step(2, "lambda").objective);
  line("round 2 psi", step(2, "psi").objective);
}

TEST_F(WorkedExample, Prediction) {
  const Mixture& m = first_.mixture;
  const double gamma = oracle::gamma(data_, 3, m);
  const double general = oracle::probabilities(data_, 3, m.general.weights)[0];
  const double own = oracle::probabilities(data_, 3, m.domain[1].weights)[0];
  std::vector<double> p(2);
  MixturePredictor(2, m).predict(data_.rows[3], 1, p);
  EXPECT_NEAR(p[0], gamma * general + (1 - gamma) * own, 1e-6);
  expect_line(fmt::format("{:.4f} \\times {:.4f} + {:.4f} \\times {:.4f} = {:.4f}", gamma,
                          general, 1 - gamma, own, p[0]));
}

}  // namespace
}  // namespace megadapt
