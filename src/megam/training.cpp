#include "megam/training.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <numeric>
#include <optional>

#include "base/atomic_file.hpp"
#include "cli/standard_streams.hpp"
#include "megadapt/error.hpp"
#include "optimize/candidates.hpp"
#include "optimize/maxent.hpp"

namespace megadapt::megam {
namespace {

constexpr double kTolerance = 1e-10;  // relative; -maxi usually ends a fit earlier
constexpr int kMostHalvings = 20;     // of lambda
constexpr double kLeastProbability = 1e-300;

struct Data {
  Weights names;  // features and classes; no weights yet
  std::uint32_t num_classes = 2;
  Examples train, dev, test;
};

// Names of features and classes come from the rows to train on and from the prior's mean.
Data read_data(const Options& options, const std::optional<Weights>& mean) {
  Data data;
  if (mean) {
    data.names.features = mean->features;
    data.names.classes = mean->classes;
    data.num_classes = std::max(data.num_classes, mean->columns);
  }
  NameIndex& features = data.names.features;
  NameIndex& classes = data.names.classes;
  LineParser parser(options);
  for (Line line; parser.next(line);) {
    const bool trains = parser.section() == LineParser::Section::train;
    std::uint32_t label = 0;
    if (!options.named_classes) {
      label = parser.class_of(line);
    } else {
      label = trains ? classes.add(line.label) : classes.find(line.label);
    }
    if (trains) data.num_classes = std::max(data.num_classes, label + 1);
    const auto id_of = [&](std::string_view name) {
      return trains ? features.add(name) : features.find(name);
    };
    append(line, label, id_of,
           trains                                         ? data.train
           : parser.section() == LineParser::Section::dev ? data.dev
                                                          : data.test);
  }
  if (data.train.size() == 0) {
    throw InputError({.file = corpus::display_name(options.file)},
                     "there are no rows to train on",
                     "write LABEL FEATURE FEATURE ... lines before DEV and TEST");
  }
  if (options.named_classes) data.num_classes = classes.size();
  data.names.columns = options.binary || options.explicit_features ? 1 : data.num_classes;
  return data;
}

// Returns the weights of a file in the order of the data's features, without those that the
// data lacks. Empty if there is no file.
std::vector<double> aligned(const std::optional<Weights>& file, const Data& data,
                            const std::string& option) {
  if (!file) return {};
  const std::uint32_t columns = data.names.columns;
  if (file->columns > columns) {
    throw UsageError(fmt::format("{}: the weights are of {} classes, the rows of {}",
                                 option, file->columns, columns),
                     "use weights of the same classes");
  }
  std::vector<double> value(std::size_t{data.names.features.size()} * columns);
  for (std::uint32_t f = 0; f < file->features.size(); ++f) {
    const std::uint32_t id = data.names.features.find(file->features.name(f));
    if (id == kNone) continue;
    for (std::uint32_t y = 0; y < file->columns; ++y) {
      const std::uint32_t to =
          file->classes.size() > 0 ? data.names.classes.find(file->classes.name(y)) : y;
      if (to == kNone) continue;
      value[std::size_t{id} * columns + to] =
          file->value[std::size_t{f} * file->columns + y];
    }
  }
  return value;
}

// The rows as choices among candidates. Rows of -explicit already have that form. A binary
// row chooses between an empty candidate, whose score is 0, and its features: this is
// logistic regression with one vector of weights.
Candidates candidates_of(const Examples& examples, bool binary) {
  Candidates result;
  result.weight = examples.weight;
  if (!binary) {
    result.rows = examples.rows;
    result.begin = examples.begin;
  }
  RowBuilder builder(result.rows);
  for (std::size_t n = 0; n < examples.size(); ++n) {
    if (binary) {
      builder.end();
      builder.add(examples.rows[n]);
      builder.end();
      result.begin.push_back(result.rows.size());
    }
    result.chosen.push_back(result.begin[n] + examples.label[n]);
  }
  return result;
}

class Trainer {
 public:
  Trainer(const Options& options, const Data& data, std::vector<double> mean,
          const Execution& exec)
      : options_(options), data_(data), mean_(std::move(mean)), exec_(exec) {
    if (data.names.columns == 1) {
      candidates_ = candidates_of(data.train, options.binary);
      return;
    }
    std::vector<std::size_t> rows(data.train.size());
    std::iota(rows.begin(), rows.end(), 0);
    problem_.emplace(data.train.rows, data.names.features.size(), rows, data.train.label,
                     data.num_classes, exec);
  }

  std::vector<double> fit(double lambda, std::span<const double> start) const {
    const double total =
        std::accumulate(data_.train.weight.begin(), data_.train.weight.end(), 0.0);
    const int passes = static_cast<int>(std::min<std::int64_t>(
        std::int64_t{options_.iterations} * options_.repeats, 1'000'000'000));
    int iteration = 0;
    const auto show = [&](double objective, double) {
      ++iteration;
      if (options_.quiet) return;
      cli::tell(fmt::format("it {:<4} pp {:.6e}\n", iteration, objective / total));
    };
    if (!problem_) {
      return fit_candidates(candidates_, data_.names.features.size(),
                            {.precision = lambda,
                             .mean = mean_,
                             .start = start,
                             .tolerance = kTolerance,
                             .max_passes = passes,
                             .min_gain = options_.min_change * total,
                             .on_iteration = show},
                            exec_)
          .weights;
    }
    const double variance =
        lambda > 0 ? 1 / lambda : std::numeric_limits<double>::infinity();
    return problem_
        ->fit(data_.train.weight,
              {.prior = {.variance = variance, .mean = mean_},
               .optimizer = Optimizer::lbfgs,
               .precision = Precision::double_,
               .tolerance = kTolerance,
               .max_passes = passes,
               .min_gain = options_.min_change * total,
               .start = start,
               .on_iteration = show},
              exec_)
        .weights;
  }

 private:
  const Options& options_;
  const Data& data_;
  std::vector<double> mean_;
  const Execution& exec_;
  Candidates candidates_;
  std::optional<MaxentProblem> problem_;
};

std::size_t best_class(const std::vector<double>& probability) {
  return static_cast<std::size_t>(std::max_element(probability.begin(), probability.end()) -
                                  probability.begin());
}

// How well weights predict: fewer errors are better, then a lower loss.
struct Score {
  std::size_t wrong = 0;
  double loss = 0;
  auto operator<=>(const Score&) const = default;
};

Score score(const Weights& weights, const Examples& examples, const Options& options) {
  Score result;
  for (std::size_t n = 0; n < examples.size(); ++n) {
    const std::vector<double> p = weights.probabilities(examples, n, options);
    const std::uint32_t label = examples.label[n];
    result.wrong += best_class(p) != label;
    // A class that the model lacks is always predicted wrongly, whatever the weights, so it
    // does not count in the loss.
    if (label < p.size()) result.loss -= std::log(std::max(p[label], kLeastProbability));
  }
  return result;
}

void tell_errors(const std::string& what, std::size_t wrong, std::size_t rows,
                 const Options& options) {
  if (options.quiet || rows == 0) return;
  cli::tell(fmt::format("{}error rate {} / {} = {:.4f}\n", what, wrong, rows,
                        static_cast<double>(wrong) / static_cast<double>(rows)));
}

}  // namespace

Weights train(const Options& options, const Execution& exec) {
  std::optional<Weights> mean, start;
  if (!options.mean.empty()) mean = read_weights(options.mean, options);
  if (!options.start.empty()) start = read_weights(options.start, options);
  const Data data = read_data(options, mean);
  const Trainer trainer(options, data, aligned(mean, data, "-mean"), exec);

  Weights best = data.names;
  best.value = trainer.fit(options.lambda, aligned(start, data, "-init"));
  Score reached = score(best, data.dev, options);
  tell_errors("dev ", reached.wrong, data.dev.size(), options);
  const bool tunes = options.tune && data.dev.size() > 0;
  double lambda = options.lambda;
  for (int halving = 0; tunes && lambda > 0 && halving < kMostHalvings; ++halving) {
    lambda /= 2;
    Weights next = data.names;
    next.value = trainer.fit(lambda, best.value);
    const Score now = score(next, data.dev, options);
    tell_errors(fmt::format("lambda {}: dev ", lambda), now.wrong, data.dev.size(),
                options);
    if (now >= reached) break;
    reached = now;
    best = std::move(next);
  }
  tell_errors("test ", score(best, data.test, options).wrong, data.test.size(), options);
  return best;
}

void predict(const Options& options) {
  const Weights weights = read_weights(options.weights, options);
  const auto id_of = [&](std::string_view name) { return weights.features.find(name); };
  AtomicFile out("-");
  std::size_t rows = 0, wrong = 0;
  LineParser parser(options);
  for (Line line; parser.next(line); ++rows) {
    const std::uint32_t label =
        options.named_classes ? weights.classes.find(line.label) : parser.class_of(line);
    Examples one;
    append(line, label, id_of, one);
    const std::vector<double> p = weights.probabilities(one, 0, options);
    const std::size_t best = best_class(p);
    wrong += best != label;
    const std::string name =
        options.named_classes
            ? std::string(weights.classes.name(static_cast<std::uint32_t>(best)))
            : std::to_string(best);
    // A binary model prints the probability of class 1 alone.
    const std::span<const double> shown = std::span(p).subspan(options.binary ? 1 : 0);
    out.write(fmt::format("{}\t{:.10f}\n", name, fmt::join(shown, " ")));
    if (options.file == "-") out.flush();  // somebody may wait for every answer
  }
  out.commit();
  tell_errors("", wrong, rows, options);
}

}  // namespace megadapt::megam
