// Applies fitted predictors to rows for tuning and comparison, which see only predictions
// and scores.
#include "evaluation/scores/score_rows.hpp"

#include <array>

#include "base/messages.hpp"
#include "decoding/decoding.hpp"

namespace megadapt {
namespace {

// Each row has the features of the gold previous tag, so its probability is a factor of the
// likelihood of the sentence, which the log loss needs. The labels come from decoding.
TaggingEvaluator tagging_evaluator(const Dataset& data, RowIds rows,
                                   std::vector<std::string> labels,
                                   const Predictions& predictions) {
  const std::size_t Y = labels.size();
  TaggingEvaluator evaluator(std::move(labels));
  std::vector<std::string_view> gold;
  std::vector<double> probability;
  for (const auto& [first, last] : sentence_pieces(data, rows)) {
    gold.clear();
    probability.clear();
    for (std::size_t i = first; i < last; ++i) {
      const std::uint32_t label = data.label[rows[i]];
      gold.push_back(data.label_name(label));
      probability.push_back(label < Y ? predictions.probability[i * Y + label] : 0);
    }
    evaluator.add({.gold = gold,
                   .predicted = std::span(predictions.label).subspan(first, last - first),
                   .gold_probability = probability,
                   .group = data.group_name(rows[first])});
  }
  return evaluator;
}

}  // namespace

Predictions predict_rows(const Predictor& predictor, const Dataset& data, RowIds rows,
                         std::uint32_t domain, const Execution& exec) {
  constexpr std::size_t kGrain = 256;
  const std::size_t Y = predictor.num_labels();
  Predictions result;
  result.label.resize(rows.size());
  result.probability.resize(rows.size() * Y);
  exec.parallel_for(rows.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto p = std::span(result.probability).subspan(i * Y, Y);
      predictor.predict(data.rows[rows[i]], domain, p);
      result.label[i] = static_cast<std::uint32_t>(Evaluator::predicted(p));
    }
  });
  if (data.is_sequences()) {
    std::vector<std::string> tags = data.label_names();
    tags.resize(Y);
    const TagTransitions transitions(tags, data.schema->scheme);
    result.label = tag_rows(predictor, data, rows, domain, transitions, exec);
  }
  return result;
}

Evaluation evaluate_rows(const Dataset& data, RowIds rows, std::uint32_t num_labels,
                         const Predictions& predictions, std::uint64_t seed) {
  std::vector<std::string> labels = data.label_names();
  labels.resize(num_labels);
  if (data.is_sequences()) {
    TaggingEvaluation tagging =
        tagging_evaluator(data, rows, std::move(labels), predictions).result(seed);
    if (tagging.spans) tagging.tokens.span_interval = tagging.f1_interval;
    return std::move(tagging.tokens);
  }
  Evaluator evaluator(std::move(labels));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t n = rows[i];
    evaluator.add(data.label_name(data.label[n]),
                  std::span(predictions.probability).subspan(i * num_labels, num_labels),
                  data.group_name(n));
  }
  return evaluator.result(seed);
}

void append(const Predictions& more, Predictions& all) {
  all.label.insert(all.label.end(), more.label.begin(), more.label.end());
  all.probability.insert(all.probability.end(), more.probability.begin(),
                         more.probability.end());
}

std::vector<std::uint8_t> hits(const Dataset& data, RowIds rows,
                               const Predictions& predictions) {
  std::vector<std::uint8_t> hit;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hit.push_back(predictions.label[i] == data.label[rows[i]]);
  }
  return hit;
}

std::vector<SpanCounts> sentence_spans(const Dataset& data, RowIds rows,
                                       std::uint32_t num_labels,
                                       const Predictions& predictions) {
  std::vector<std::string> labels = data.label_names();
  labels.resize(num_labels);
  if (!data.is_sequences() || !mark_spans(labels)) return {};
  const TaggingEvaluator evaluator =
      tagging_evaluator(data, rows, std::move(labels), predictions);
  return {evaluator.sentence_spans().begin(), evaluator.sentence_spans().end()};
}

double score(const Evaluation& evaluation, Criterion criterion) {
  switch (criterion) {
    case Criterion::accuracy:
      return evaluation.accuracy;
    case Criterion::f1:
      return evaluation.f1;
    case Criterion::log_loss:
      break;
  }
  return evaluation.log_loss;
}

bool better(double a, double b, Criterion criterion) {
  return criterion == Criterion::log_loss ? a < b : a > b;
}

namespace {

constexpr std::array<std::string_view, 3> kCriterionNames = {"log-loss", "accuracy", "f1"};

}  // namespace

std::string_view criterion_name(Criterion criterion) {
  return kCriterionNames[static_cast<std::size_t>(criterion)];
}

Criterion parse_criterion(std::string_view name) {
  return static_cast<Criterion>(
      index_of_name(name, kCriterionNames, "there is no criterion '{}'"));
}

}  // namespace megadapt
