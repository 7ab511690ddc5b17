#include "systems/self_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dataset/select_rows.hpp"
#include "decoding/decoding.hpp"
#include "execution/collectives.hpp"
#include "systems/fit_memory.hpp"

namespace megadapt {
namespace {

constexpr int kRefits = 2;
// Smaller shares are left out: they would be lost when shares are added up as float.
constexpr double kLeastShare = 1e-7;
constexpr std::size_t kRowsPerTask = 256;
// The totals of labels may differ from the wanted ones by this share of the rows' weight.
constexpr double kBalanced = 1e-4;
constexpr int kMostBalancings = 50;

/// The labels that the unlabelled rows get.
struct OwnLabels {
  std::vector<double> q;                // [N][Y]
  std::vector<std::uint32_t> previous;  // [N]; of sequences: the tag before, as decoded
};

void normalise(std::span<double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  for (double& value : values) value /= sum;
}

// q(y) proportional to p(y)^k, in place. The largest p becomes 1 first, so that no power of
// it is 0.
void sharpen_row(std::span<double> p, double k) {
  const double most = *std::ranges::max_element(p);
  for (double& value : p) value = std::pow(value / most, k);
  normalise(p);
}

/// Sharpens the labels q of unlabelled rows, but keeps the total of each label.
class Sharpening {
 public:
  Sharpening(const Dataset& rows, std::size_t num_labels, const Execution& exec)
      : rows_(rows), Y_(num_labels), exec_(exec) {}

  // q(y) = r(y) p(y)^k / Z. Without the factors r, sharpening would make frequent labels more
  // frequent. Iterative proportional fitting finds r.
  void apply(double k, std::vector<double>& q) const {
    const std::vector<double> wanted = totals(q);
    for_each_row(q, [k](std::span<double> row) { sharpen_row(row, k); });
    for (int i = 0; i < kMostBalancings; ++i) {
      const std::vector<double> total = totals(q);
      std::vector<double> factor(Y_, 1);
      double all = 0, misplaced = 0;
      for (std::size_t y = 0; y < Y_; ++y) {
        if (total[y] > 0) factor[y] = wanted[y] / total[y];
        all += wanted[y];
        misplaced += std::abs(wanted[y] - total[y]);
      }
      if (misplaced <= kBalanced * all) return;
      for_each_row(q, [&](std::span<double> row) {
        for (std::size_t y = 0; y < Y_; ++y) row[y] *= factor[y];
        normalise(row);
      });
    }
  }

 private:
  // The weight of the rows of each label, [Y]; rows of all ranks.
  std::vector<double> totals(std::span<const double> q) const {
    std::vector<double> total(Y_);
    for (std::size_t n = 0; n < q.size() / Y_; ++n) {
      const auto weight = static_cast<double>(rows_.weight[n]);
      for (std::size_t y = 0; y < Y_; ++y) total[y] += weight * q[n * Y_ + y];
    }
    exec_.ranks().sum(total);
    return total;
  }

  template <class Use>
  void for_each_row(std::vector<double>& q, Use use) const {
    exec_.parallel_for(q.size() / Y_, kRowsPerTask, [&](auto first, auto last) {
      for (std::size_t n = first; n < last; ++n) use(std::span(q).subspan(n * Y_, Y_));
    });
  }

  const Dataset& rows_;
  std::size_t Y_;
  const Execution& exec_;
};

OwnLabels label_rows(const Dataset& rows, std::uint32_t target, const Predictor& predictor,
                     const Execution& exec) {
  const std::size_t Y = predictor.num_labels();
  OwnLabels own;
  own.q.resize(rows.num_examples() * Y);
  exec.parallel_for(rows.num_examples(), kRowsPerTask, [&](auto first, auto last) {
    for (std::size_t n = first; n < last; ++n) {
      predictor.predict(rows.rows[n], target, std::span(own.q).subspan(n * Y, Y));
    }
  });
  return own;
}

// The features of a token depend on the tag before it, which Viterbi finds. q are the
// marginal probabilities of the token's tags.
OwnLabels label_sentences(const Dataset& rows, std::uint32_t target,
                          const Predictor& predictor, const Execution& exec) {
  constexpr std::size_t kSentencesPerTask = 16;
  const std::size_t Y = predictor.num_labels();
  const TagTransitions transitions(rows.labels().names(), rows.schema->scheme);
  OwnLabels own;
  own.q.resize(rows.num_examples() * Y);
  own.previous.resize(rows.num_examples(), kNone);
  const auto& begin = rows.sentence_begin;
  exec.parallel_for(begin.size() - 1, kSentencesPerTask, [&](auto from, auto to) {
    for (std::size_t s = from; s < to; ++s) {
      const DatasetSentence sentence(predictor, rows, begin[s], begin[s + 1], target);
      const TagSequence best = best_tags(sentence, transitions);
      const std::vector<double> marginal = tag_marginals(sentence, transitions);
      for (std::size_t t = 0; t < sentence.size(); ++t) {
        if (t > 0) own.previous[begin[s] + t] = best.tags[t - 1];
      }
      std::ranges::copy(marginal,
                        own.q.begin() + static_cast<std::ptrdiff_t>(begin[s] * Y));
    }
  });
  return own;
}

void set_shares(std::span<const double> q, std::vector<LabelShare>& shares) {
  shares.clear();
  double sum = 0;
  for (const double share : q) sum += share < kLeastShare ? 0 : share;
  for (std::uint32_t y = 0; y < q.size(); ++y) {
    if (q[y] < kLeastShare) continue;
    shares.push_back({y, static_cast<float>(q[y] / sum)});
  }
}

std::vector<std::size_t> every_row(const Dataset& data) {
  std::vector<std::size_t> rows(data.num_examples());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// Appends the sentences and tag slots of `more` to those of `data`.
void append_sequences(const Dataset& more, std::size_t rows_before, Dataset& data) {
  const std::size_t width = std::size_t{data.num_labels()} + 1;
  const auto slots = static_cast<std::uint32_t>(data.tag_slots.feature.size() / width);
  for (const std::uint32_t slot : more.tag_slots.slot) {
    data.tag_slots.slot.push_back(slot == kNone ? kNone : slot + slots);
  }
  const auto& feature = more.tag_slots.feature;
  data.tag_slots.feature.insert(data.tag_slots.feature.end(), feature.begin(),
                                feature.end());
  for (std::size_t s = 1; s < more.sentence_begin.size(); ++s) {
    data.sentence_begin.push_back(rows_before + more.sentence_begin[s]);
  }
}

// Gives the callbacks of a refit a stage of their own, so that its progress starts at 0.
FitContext refit_context(const FitContext& context, int refit) {
  FitContext own = context;
  own.checkpoint.clear();  // a checkpoint is one of the fit to the labelled rows
  if (context.on_progress) {
    own.on_progress = [report = context.on_progress, refit](const Progress& progress) {
      report({fmt::format("unlabelled rows, fit {} of {}", refit, kRefits),
              progress.fraction});
    };
  }
  return own;
}

}  // namespace

bool self_trains(const System& system, const Dataset& data, const Options& options) {
  const bool by_members =
      !system.members().empty() && !system.traits().finds_member_weights;
  return data.unlabelled && !by_members &&
         options.unlabelled_weight.value_or(kUnlabelledWeight) > 0;
}

Dataset with_own_labels(const Dataset& data, std::uint32_t target,
                        const Predictor& predictor, double sharpen, double weight,
                        const Execution& exec) {
  const Dataset& more = *data.unlabelled;
  const std::size_t Y = predictor.num_labels();
  OwnLabels own = more.is_sequences() ? label_sentences(more, target, predictor, exec)
                                      : label_rows(more, target, predictor, exec);
  Sharpening(more, Y, exec).apply(sharpen, own.q);
  Dataset all = select_rows(data, every_row(data));  // rows may be borrowed
  all.unlabelled.reset();
  RowBuilder rows(all);
  std::vector<LabelShare> shares;
  for (std::size_t n = 0; n < more.num_examples(); ++n) {
    if (more.is_sequences()) {
      rows.add(DatasetSentence(predictor, more, n, n + 1, target)
                   .row_after(0, own.previous[n])
                   .view());
    } else {
      rows.add(more.rows[n]);
    }
    set_shares(std::span(own.q).subspan(n * Y, Y), shares);
    rows.end({.shares = shares,
              .domain = target,
              .weight = static_cast<float>(weight) * more.weight[n]});
  }
  if (more.is_sequences()) append_sequences(more, data.num_examples(), all);
  if (!data.runs.empty()) {
    const auto labelled = static_cast<std::uint64_t>(
        summed(exec.ranks(), static_cast<double>(data.num_examples())));
    for (const RowRun& run : more.runs) {
      all.runs.push_back({labelled + run.first, run.count});
    }
  }
  return all;
}

SelfTraining::SelfTraining(const System& system, const Dataset& data, std::uint32_t target,
                           const Options& options, const FitContext& context)
    : system_(system), data_(data), target_(target), options_(options), context_(context) {
  context_.mixing = std::make_shared<MixingWeights>();
  context_.warm_starts = std::make_shared<WarmStarts>();
  if (context.warm_starts) context_.warm_starts->weights = context.warm_starts->weights;
  if (!context_.source_fits) context_.source_fits = std::make_shared<SourceFits>();
  plain_ = system.fit_rows(data, target, options, context_);
  start_ = context_.warm_starts->weights;
}

PredictorPtr SelfTraining::fit(double sharpen, double weight) const {
  context_.warm_starts->weights = start_;
  PredictorPtr fitted;
  for (int refit = 1; refit <= kRefits; ++refit) {
    const Predictor& labeller = fitted ? *fitted : *plain_;
    const Dataset all =
        with_own_labels(data_, target_, labeller, sharpen, weight, context_.exec);
    fitted = system_.fit_rows(all, target_, options_, refit_context(context_, refit));
  }
  return fitted;
}

}  // namespace megadapt
