#include <algorithm>
#include <cmath>

#include "evaluation/scores/bootstrap.hpp"
#include "megadapt/dataset.hpp"
#include "megadapt/evaluation.hpp"
#include "megadapt/model.hpp"

namespace megadapt {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// F1 = 2 P R / (P + R) = 2 hits / (support + predicted). The latter form is not 0 / 0 when
// P and R are both 0.
LabelScores scores(std::size_t hits, std::size_t support, std::size_t predicted) {
  return {.precision = ratio(hits, predicted),
          .recall = ratio(hits, support),
          .f1 = ratio(2 * hits, support + predicted),
          .support = support};
}

}  // namespace

Evaluator::Evaluator(std::vector<std::string> labels)
    : names_(std::move(labels)), num_labels_(names_.size()) {
  for (std::uint32_t label = 0; label < names_.size(); ++label)
    index_[names_[label]] = label;
}

std::size_t Evaluator::predicted(std::span<const double> probability) {
  return most_probable(probability);
}

std::uint32_t Evaluator::name_id(std::string_view gold) {
  const auto known = index_.find(gold);
  if (known != index_.end()) return known->second;
  const auto id = static_cast<std::uint32_t>(names_.size());
  index_.emplace(gold, id);
  names_.emplace_back(gold);
  return id;
}

void Evaluator::add(std::string_view gold, std::span<const double> probability,
                    std::string_view group) {
  const std::uint32_t label = name_id(gold);
  add(gold, predicted(probability), label < num_labels_ ? probability[label] : 0, group);
}

void Evaluator::add(std::string_view gold, std::size_t predicted, double gold_probability,
                    std::string_view group) {
  const std::uint32_t label = name_id(gold);
  // A probability that underflowed must not make the mean infinite.
  const double p = label < num_labels_ ? std::max(gold_probability, kUnseenProbability)
                                       : kUnseenProbability;
  std::uint32_t group_id = kNone;
  if (!group.empty()) {
    const auto next = static_cast<std::uint32_t>(groups_.size());
    const auto known = groups_.find(group);
    group_id =
        known != groups_.end() ? known->second : groups_.emplace(group, next).first->second;
  }
  outcomes_.push_back({.gold = label,
                       .predicted = static_cast<std::uint32_t>(predicted),
                       .log_probability = std::log(p),
                       .group = group_id});
}

Evaluation Evaluator::result(std::uint64_t seed) const {
  Evaluation result;
  result.examples = outcomes_.size();
  if (outcomes_.empty()) return result;

  std::vector<std::size_t> confusion(names_.size() * num_labels_);  // [gold][predicted]
  std::vector<ResampledUnit> units(groups_.size(), {.examples = 0, .correct = 0});
  std::size_t correct = 0;
  double log_likelihood = 0;
  for (const Outcome& outcome : outcomes_) {
    const bool hit = outcome.gold == outcome.predicted;
    ++confusion[outcome.gold * num_labels_ + outcome.predicted];
    correct += hit;
    log_likelihood += outcome.log_probability;
    // A row without a group is resampled on its own.
    if (outcome.group == kNone) units.push_back({.examples = 0, .correct = 0});
    ResampledUnit& unit = outcome.group == kNone ? units.back() : units[outcome.group];
    ++unit.examples;
    unit.correct += hit;
  }
  result.accuracy = ratio(correct, result.examples);
  result.log_loss = -log_likelihood / static_cast<double>(result.examples);
  result.interval = bootstrap_interval(units, seed);
  add_label_scores(confusion, result);
  return result;
}

void Evaluator::add_label_scores(const std::vector<std::size_t>& confusion,
                                 Evaluation& result) const {
  std::size_t occurring = 0;
  for (std::size_t label = 0; label < names_.size(); ++label) {
    const std::string& name = names_[label];
    std::size_t support = 0;
    for (std::size_t other = 0; other < num_labels_; ++other) {
      const std::size_t count = confusion[label * num_labels_ + other];
      support += count;
      result.confusion[name][names_[other]] = count;
    }
    std::size_t predicted_count = 0;
    for (std::size_t gold = 0; label < num_labels_ && gold < names_.size(); ++gold) {
      predicted_count += confusion[gold * num_labels_ + label];
    }
    const std::size_t hits =
        label < num_labels_ ? confusion[label * num_labels_ + label] : 0;
    const LabelScores label_scores = scores(hits, support, predicted_count);
    result.labels[name] = label_scores;
    if (label >= num_labels_) result.unseen_labels[name] = support;
    result.f1 += label_scores.f1;
    occurring += support + predicted_count > 0;
  }
  result.f1 /= static_cast<double>(std::max<std::size_t>(1, occurring));
}

}  // namespace megadapt
