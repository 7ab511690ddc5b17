// How unlabelled rows are tried: after the other settings. No row is tested by a fit that
// has seen its text.
#include "evaluation/tuning/unlabelled.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "dataset/select_rows.hpp"
#include "decoding/decoding.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "evaluation/tuning/thrift.hpp"
#include "systems/fit_memory.hpp"
#include "systems/options.hpp"
#include "systems/self_training.hpp"

namespace megadapt {
namespace {

// Returns a hash of a row's features that continues `before`, the hash of the rows before it.
// Leaves out features of tags, which a row without labels lacks.
std::size_t text_key(const Dataset& data, std::size_t n, std::size_t before) {
  const RowView row = data.rows[n];
  std::vector<std::pair<std::uint32_t, float>> sorted;
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (data.is_tag_feature(row.features[i])) continue;
    sorted.emplace_back(row.features[i], row.values.empty() ? 1.0f : row.values[i]);
  }
  std::ranges::sort(sorted);
  const std::size_t key = std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(sorted.data()), sorted.size() * sizeof(sorted[0])});
  return key ^ (before * 0x9e3779b97f4a7c15u + (before >> 29));
}

// Calls use(key, first, last) for each piece of `rows` that stays together: a sentence, or a
// single row.
template <class Use>
void for_each_text(const Dataset& data, RowIds rows, Use use) {
  if (!data.is_sequences()) {
    for (std::size_t i = 0; i < rows.size(); ++i) use(text_key(data, rows[i], 0), i, i + 1);
    return;
  }
  for (const auto& [first, last] : sentence_pieces(data, rows)) {
    std::size_t key = 0;
    for (std::size_t i = first; i < last; ++i) key = text_key(data, rows[i], key);
    use(key, first, last);
  }
}

/// A way to label and weigh unlabelled rows.
struct OwnLabelling {
  double weight = 0;
  double sharpen = kSharpen;
};

using PerSplit = std::vector<std::vector<Predictions>>;  // [splits][candidates]

double number_in_text(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Returns the values of an option that tuning tries.
std::vector<double> choices_of(const char* option) {
  std::vector<double> values;
  for (const std::string& text : option_table().find(option).tuned.choices) {
    values.push_back(number_in_text(text));
  }
  return values;
}

}  // namespace

std::shared_ptr<const Dataset> unlabelled_without(
    const std::shared_ptr<const Dataset>& unlabelled, const Dataset& tested, RowIds rows) {
  if (!unlabelled) return nullptr;
  std::unordered_set<std::size_t> held_out;
  for_each_text(tested, rows, [&](std::size_t key, auto, auto) { held_out.insert(key); });
  std::vector<std::size_t> all(unlabelled->num_examples()), kept;
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
  for_each_text(*unlabelled, all, [&](std::size_t key, auto first, auto last) {
    if (held_out.contains(key)) return;
    for (std::size_t n = first; n < last; ++n) kept.push_back(n);
  });
  if (kept.size() == all.size()) return unlabelled;
  if (kept.empty()) return nullptr;
  return std::make_shared<Dataset>(select_rows(*unlabelled, kept));
}

/// Tries unlabelled rows with the settings that were chosen without them.
class UnlabelledSearch {
 public:
  UnlabelledSearch(const Tuner& tuner, const System& system, const Tuned& tuned)
      : tuner_(tuner), system_(system), options_(tuner.for_search(tuned.options)) {
    options_.unlabelled_weight.reset();
    for (const std::size_t n : tuner.rows_) {
      label_.push_back(tuner.data_.label[n]);
      row_weight_.push_back(static_cast<double>(tuner.data_.weight[n]));
    }
  }

  /// Chooses the weight first and then the sharpening. Returns weight 0 if the held-out
  /// loss is lowest without unlabelled rows.
  UnlabelledTrial run() {
    const Options& base = tuner_.options_.base;
    std::vector<OwnLabelling> candidates{{}};  // without unlabelled rows
    std::vector<double> weights = choices_of("unlabelled-weight");
    if (tuner_.is_fixed("unlabelled-weight")) {
      weights = {base.unlabelled_weight.value_or(kUnlabelledWeight)};
      must_use_ = weights[0] > 0;
    }
    for (const double weight : weights) {
      if (weight > 0) candidates.push_back({weight, base.sharpen.value_or(kSharpen)});
    }
    consider(candidates);
    if (best_.weight > 0 && !tuner_.is_fixed("sharpen")) {
      candidates.clear();
      for (const double k : choices_of("sharpen")) {
        if (k != best_.sharpen) candidates.push_back({best_.weight, k});
      }
      consider(candidates);
    }
    return {best_.weight, best_.sharpen, best_loss_ / total_weight(),
            loss_without_ / total_weight()};
  }

  /// The predictions for the held-out rows, [rows][Y].
  std::vector<double>& distribution() { return best_probability_; }
  double seconds() const { return seconds_; }

 private:
  double total_weight() const {
    return std::accumulate(row_weight_.begin(), row_weight_.end(), 0.0);
  }

  void consider(const std::vector<OwnLabelling>& candidates) {
    const auto start = std::chrono::steady_clock::now();
    const PerSplit predicted = fit(candidates);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      std::vector<double> probability;
      for (const auto& of_split : predicted) {
        const auto& part = of_split[c].probability;
        probability.insert(probability.end(), part.begin(), part.end());
      }
      judge(candidates[c], std::move(probability));
    }
    seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // A candidate is taken only if it lowers the log loss; the first one uses no unlabelled
  // rows. A weight that the user gave is used in any case.
  void judge(const OwnLabelling& candidate, std::vector<double> probability) {
    const std::size_t Y = tuner_.data_.num_labels();
    double loss = 0;
    for (std::size_t i = 0; i < label_.size(); ++i) {
      const double p = std::max(probability[i * Y + label_[i]], kUnseenProbability);
      loss -= row_weight_[i] * std::log(p);
    }
    if (best_probability_.empty()) loss_without_ = loss;
    const bool first = best_probability_.empty() || (must_use_ && best_.weight == 0);
    if (!first && !(loss < best_loss_)) return;
    best_ = candidate;
    best_loss_ = loss;
    best_probability_ = std::move(probability);
  }

  PerSplit fit(const std::vector<OwnLabelling>& candidates) {
    const std::size_t splits = tuner_.splits_.size();
    PerSplit predicted(splits, std::vector<Predictions>(candidates.size()));
    const bool beside = side_by_side(tuner_.data_, tuner_.exec_);
    const Execution one(1);
    const auto work = [&](std::size_t s) {
      if (is_ours(s)) fit_split(s, candidates, beside ? one : tuner_.exec_, predicted[s]);
    };
    if (beside) {
      tuner_.exec_.for_each_chunk(splits, work);
    } else {
      for (std::size_t s = 0; s < splits; ++s) work(s);
    }
    exchange(predicted);
    return predicted;
  }

  void fit_split(std::size_t s, const std::vector<OwnLabelling>& candidates,
                 const Execution& exec, std::vector<Predictions>& predicted) const {
    tuner_.exec_.throw_if_stopped();
    const Split& split = tuner_.splits_[s];
    Dataset train = select_rows(tuner_.data_, split.train);
    train.unlabelled =
        unlabelled_without(tuner_.data_.unlabelled, tuner_.data_, split.held_out);
    const FitContext context = tuner_.search_context(exec);
    const auto predict = [&](const Predictor& predictor) {
      return predict_rows(predictor, tuner_.data_, split.held_out, tuner_.target_, exec);
    };
    const SelfTraining training(system_, train, tuner_.target_, options_, context);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const OwnLabelling& candidate = candidates[c];
      predicted[c] = candidate.weight > 0 && train.unlabelled
                         ? predict(*training.fit(candidate.sharpen, candidate.weight))
                         : predict(training.plain());
    }
  }

  // Folds are dealt to the ranks, as in the search for the other settings.
  bool is_ours(std::size_t split) const {
    const Communicator& ranks = *tuner_.options_.ranks;
    return split % static_cast<std::size_t>(ranks.size()) ==
           static_cast<std::size_t>(ranks.rank());
  }
  void exchange(PerSplit& predicted) const {
    Communicator& ranks = *tuner_.options_.ranks;
    if (ranks.size() == 1) return;
    for (std::size_t s = 0; s < predicted.size(); ++s) {
      for (Predictions& part : predicted[s]) {
        part.probability.resize(tuner_.splits_[s].held_out.size() *
                                tuner_.data_.num_labels());
        ranks.sum(part.probability);
      }
    }
  }

  const Tuner& tuner_;
  const System& system_;
  Options options_;
  std::vector<std::uint32_t> label_;  // of all held-out rows
  std::vector<double> row_weight_;    // likewise
  bool must_use_ = false;
  OwnLabelling best_;
  double loss_without_ = 0, best_loss_ = 0;  // of all held-out rows
  std::vector<double> best_probability_;     // [rows][Y]
  double seconds_ = 0;
};

bool Tuner::is_fixed(const std::string& option) const {
  return std::ranges::find(options_.fixed, option) != options_.fixed.end();
}

void Tuner::try_unlabelled(const System& system, Tuned& tuned) const {
  if (!data_.unlabelled) return;
  if (!is_fixed("unlabelled-weight")) tuned.options.unlabelled_weight = 0;
  tuned.unlabelled = UnlabelledTrial{};
  if (splits_.empty()) return;
  UnlabelledSearch search(*this, system, tuned);
  tuned.unlabelled = search.run();
  tuned.seconds += search.seconds();
  if (tuned.unlabelled->weight == 0) return;
  tuned.options.unlabelled_weight = tuned.unlabelled->weight;
  tuned.options.sharpen = tuned.unlabelled->sharpen;
  const std::size_t Y = data_.num_labels();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    tuned.probability[i] = search.distribution()[i * Y + data_.label[rows_[i]]];
  }
  if (!tuned.calibration) return;
  tuned.options.calibration.reset();
  calibrate(std::move(search.distribution()), tuned);
}

}  // namespace megadapt
