#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "cli/text/reports.hpp"

namespace megadapt::cli {
namespace {

constexpr std::size_t kWidestMatrix = 10;
constexpr std::size_t kMistakesShown = 20;

std::string label_table(const Evaluation& result) {
  std::vector<std::vector<std::string>> rows{
      {"label", "precision", "recall", "F1", "support"}};
  for (const auto& [label, scores] : result.labels) {
    rows.push_back({label, percent(scores.precision), percent(scores.recall),
                    percent(scores.f1), fmt::to_string(scores.support)});
  }
  return text_table(rows);
}

std::string confusion_matrix(const Evaluation& result) {
  std::vector<std::vector<std::string>> rows{{"true \\ predicted"}};
  for (const auto& [predicted, count] : result.confusion.begin()->second) {
    rows[0].push_back(predicted);
  }
  for (const auto& [gold, counts] : result.confusion) {
    rows.push_back({gold});
    for (const auto& [predicted, count] : counts)
      rows.back().push_back(fmt::to_string(count));
  }
  return text_table(rows);
}

std::string frequent_mistakes(const Evaluation& result) {
  std::vector<std::tuple<std::size_t, std::string, std::string>> mistakes;
  for (const auto& [gold, counts] : result.confusion) {
    for (const auto& [predicted, count] : counts) {
      if (gold != predicted && count > 0) mistakes.emplace_back(count, gold, predicted);
    }
  }
  std::stable_sort(mistakes.begin(), mistakes.end(), [](const auto& a, const auto& b) {
    return std::get<0>(a) > std::get<0>(b);
  });
  mistakes.resize(std::min(mistakes.size(), kMistakesShown));
  std::vector<std::vector<std::string>> rows{{"true", "predicted", "rows"}};
  for (const auto& [count, gold, predicted] : mistakes) {
    rows.push_back({gold, predicted, fmt::to_string(count)});
  }
  return text_table(rows);
}

nlohmann::ordered_json counts_json(const SpanCounts& counts) {
  return {{"precision", counts.precision()},
          {"recall", counts.recall()},
          {"f1", counts.f1()},
          {"support", counts.gold},
          {"predicted", counts.predicted},
          {"right", counts.right}};
}

std::vector<std::string> counts_row(const std::string& name, const SpanCounts& counts) {
  return {name, percent(counts.precision()), percent(counts.recall()), percent(counts.f1()),
          fmt::to_string(counts.gold)};
}

}  // namespace

nlohmann::ordered_json evaluation_json(const Evaluation& result) {
  nlohmann::ordered_json labels = nlohmann::ordered_json::object();
  for (const auto& [label, scores] : result.labels) {
    labels[label] = {{"precision", scores.precision},
                     {"recall", scores.recall},
                     {"f1", scores.f1},
                     {"support", scores.support}};
  }
  return {{"examples", result.examples},   {"accuracy", result.accuracy},
          {"log_loss", result.log_loss},   {"f1", result.f1},
          {"interval", result.interval},   {"labels", labels},
          {"confusion", result.confusion}, {"unseen_labels", result.unseen_labels}};
}

std::string evaluation_text(const Evaluation& result, const Reliability& reliability,
                            bool span_f1) {
  std::vector<std::vector<std::string>> figures{
      {"examples", fmt::to_string(result.examples)},
      {"accuracy %", percent(result.accuracy)},
      {"log loss", fmt::format("{:.4f}", result.log_loss)}};
  if (!span_f1) figures.push_back({"macro F1 %", percent(result.f1)});
  figures.push_back({"calibration error %", percent(reliability.calibration_error)});
  std::string out = text_table(figures);
  out += fmt::format("95% interval of the accuracy: {} to {}\n\n",
                     percent(result.interval[0]), percent(result.interval[1]));
  out += label_table(result) + "\n";
  out += result.labels.size() <= kWidestMatrix ? confusion_matrix(result)
                                               : frequent_mistakes(result);
  if (!result.unseen_labels.empty()) {
    std::string line = "labels never seen in training, counted as wrong:";
    for (const auto& [label, count] : result.unseen_labels) {
      line += fmt::format(" {} ({})", label, count);
    }
    out += "\n" + wrapped(line, 2);
  }
  return out;
}

nlohmann::ordered_json tagging_json(const TaggingEvaluation& result) {
  nlohmann::ordered_json json = evaluation_json(result.tokens);
  if (result.sentences == 0) return json;
  json["sentences"] = result.sentences;
  json["sentence_accuracy"] = result.sentence_accuracy;
  if (result.unknown_tokens) {
    json["unknown"] = {{"tokens", *result.unknown_tokens},
                       {"accuracy", result.unknown_accuracy}};
  }
  if (!result.spans) return json;
  json["f1_interval"] = result.f1_interval;
  json["spans"] = counts_json(*result.spans);
  json["types"] = nlohmann::ordered_json::object();
  for (const auto& [type, counts] : result.types) json["types"][type] = counts_json(counts);
  return json;
}

std::string tagging_text(const TaggingEvaluation& result, const Reliability& reliability) {
  if (result.sentences == 0) return evaluation_text(result.tokens, reliability);
  std::string out;
  if (result.spans) {
    std::vector<std::vector<std::string>> rows{
        {"spans", "precision", "recall", "F1", "support"},
        counts_row("all", *result.spans)};
    for (const auto& [type, counts] : result.types) {
      if (!type.empty()) rows.push_back(counts_row(type, counts));
    }
    out += text_table(rows);
    out += fmt::format("95% interval of the span F1: {} to {}\n\n",
                       percent(result.f1_interval[0]), percent(result.f1_interval[1]));
  }
  out += fmt::format("sentences {}, all tags right in {} %\n", result.sentences,
                     percent(result.sentence_accuracy));
  if (result.unknown_tokens.value_or(0) > 0) {
    out += fmt::format("words unknown to the model {}, accuracy {} %\n",
                       *result.unknown_tokens, percent(result.unknown_accuracy));
  }
  return out + "\n" + evaluation_text(result.tokens, reliability, result.spans.has_value());
}

}  // namespace megadapt::cli
