#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log_space.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "models/predictors.hpp"

namespace megadapt {
namespace {

struct Term {
  std::uint32_t feature;
  double value;
};

std::vector<Term> active_features(RowView row, std::uint32_t num_features) {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (row.features[i] >= num_features) continue;
    const float value = row.values.empty() ? 1 : row.values[i];
    terms.push_back({row.features[i], static_cast<double>(value)});
  }
  return terms;
}

// Sorts first, so that adding up the printed terms in order gives exactly the total.
void order_and_add(LogOdds& sum) {
  std::stable_sort(sum.contributions.begin(), sum.contributions.end(),
                   [](const Contribution& a, const Contribution& b) {
                     return std::abs(a.contribution) > std::abs(b.contribution);
                   });
  sum.total = sum.intercept;
  for (const Contribution& term : sum.contributions) sum.total += term.contribution;
}

/// A component and log p of the two labels, which stays finite if p itself is 0.
struct Explained {
  ComponentExplanation shown;
  double log_label = 0;
  double log_against = 0;
};

/// Explains a model's parts for one row and pair of labels.
class Explainer {
 public:
  Explainer(const Model& model, RowView row, std::uint32_t domain, std::uint32_t label,
            std::uint32_t against)
      : model_(model), row_(row), domain_(domain), label_(label), against_(against) {}

  Explained explain(const ModelPart& part, const std::string& name) const {
    Explained whole = without_temperature(part, name);
    if (part.temperature != 1) calibrate(part.temperature, whole);
    return whole;
  }

 private:
  Explained without_temperature(const ModelPart& part, const std::string& name) const {
    if (part.weights) return linear(part, name);
    if (part.has(PartRole::general)) return mixed(part, name);
    if (part.has(PartRole::member)) return combined(part, name);
    if (part.has(PartRole::former)) return of_former(part, name);
    return explain(part.children[domain_], name);
  }

  // With the temperature T, log p_T(y) = log p(y) / T - log sum_y' p(y')^(1/T). So every
  // term of the log-odds is divided by T.
  static void calibrate(double temperature, Explained& whole) {
    double log_total = -INFINITY;
    for (const double p : whole.shown.probabilities) {
      log_total = log_add(log_total, std::log(p) / temperature);
    }
    whole.log_label = whole.log_label / temperature - log_total;
    whole.log_against = whole.log_against / temperature - log_total;
    LogOdds& sum = whole.shown.log_odds;
    for (Contribution& term : sum.contributions) term.contribution /= temperature;
    if (sum.contributions.empty()) {
      sum.total /= temperature;
    } else {
      order_and_add(sum);
    }
    apply_temperature(temperature, whole.shown.probabilities);
    whole.shown.temperature = temperature;
  }

  // log p(label) / p(against) = sum_f x_f (lambda_f,label - lambda_f,against). Predictions
  // of source models are among the features; the sources are explained as well.
  Explained linear(const ModelPart& part, const std::string& name) const {
    Explained whole = predicted(part, name);
    const LinearWeights& weight = *part.weights;
    std::vector<double> score(weight.num_labels);
    std::vector<std::uint32_t> features;
    std::vector<float> values;
    const RowView seen = part.predictor->seen(row_, features, values);
    for (const auto& [feature, value] : active_features(seen, weight.num_features())) {
      for (std::uint32_t y = 0; y < score.size(); ++y) {
        score[y] += value * static_cast<double>(weight(feature, y));
      }
      const double difference = static_cast<double>(weight(feature, label_)) -
                                static_cast<double>(weight(feature, against_));
      whole.shown.log_odds.contributions.push_back(
          {feature_name(model_, part, feature), value, value * difference});
    }
    order_and_add(whole.shown.log_odds);
    double log_total = -INFINITY;
    for (const double s : score) log_total = log_add(log_total, s);
    whole.log_label = score[label_] - log_total;
    whole.log_against = score[against_] - log_total;
    for (const ModelPart& source : part.children) {
      whole.shown.sources.push_back(explain(source, source.name).shown);
    }
    return whole;
  }

  Explained mixed(const ModelPart& part, const std::string& name) const {
    Explained whole = predicted(part, name);
    const ModelPart& general = part.children[0];
    const ModelPart& own = part.children[1 + domain_];
    const LogOdds gate = gate_of(own);
    // log_sigmoid(-x) instead of log(1 - sigmoid(x)): for a share near 1 the difference
    // would round to 0.
    add(explain(general, general.name), log_sigmoid(gate.total), whole);
    add(explain(own, own.name), log_sigmoid(-gate.total), whole);
    whole.shown.gate = gate;
    whole.shown.log_odds.total = whole.log_label - whole.log_against;
    return whole;
  }

  LogOdds gate_of(const ModelPart& part) const {
    LogOdds gate{.intercept = part.gate->intercept};
    for (const auto& [feature, value] :
         active_features(row_, part.weights->num_features())) {
      const auto weight = static_cast<double>((*part.gate)(feature));
      // Skip absent features, and those that the gate does not see, such as tags.
      if (!(value > 0) || weight == 0) continue;
      gate.contributions.push_back({feature_name(model_, part, feature), value, weight});
    }
    order_and_add(gate);
    return gate;
  }

  Explained combined(const ModelPart& part, const std::string& name) const {
    Explained whole = predicted(part, name);
    for (const ModelPart& member : part.children) {
      add(explain(member, member.name), std::log(member.share), whole);
      whole.shown.components.back().weight = member.share;
    }
    whole.shown.log_odds.total = whole.log_label - whole.log_against;
    return whole;
  }

  // Explains an older model in its own domain, features and labels. A newer label has no
  // probability there, and nothing explains it.
  Explained of_former(const ModelPart& part, const std::string& name) const {
    constexpr double kLogOfNothing = -700;
    const ModelPart& former = part.children[0];
    const std::uint32_t known = former.predictor->num_labels();
    Explained whole;
    if (label_ < known && against_ < known) {
      const Explainer older(model_, row_, *former.domain, label_, against_);
      whole = older.explain(former, name);
      whole.shown.probabilities.resize(part.predictor->num_labels());
      return whole;
    }
    whole = predicted(part, name);
    whole.shown.kind = former.predictor->kind();
    const auto log_of = [&](std::uint32_t label) {
      const double p = whole.shown.probabilities[label];
      return p > 0 ? std::log(p) : kLogOfNothing;
    };
    whole.log_label = log_of(label_);
    whole.log_against = log_of(against_);
    whole.shown.log_odds.total = whole.log_label - whole.log_against;
    return whole;
  }

  static void add(Explained part, double log_weight, Explained& whole) {
    const bool first = whole.shown.components.empty();
    const double label = log_weight + part.log_label;
    const double against = log_weight + part.log_against;
    whole.log_label = first ? label : log_add(whole.log_label, label);
    whole.log_against = first ? against : log_add(whole.log_against, against);
    part.shown.weight = std::exp(log_weight);
    whole.shown.components.push_back(std::move(part.shown));
  }

  Explained predicted(const ModelPart& part, const std::string& name) const {
    Explained whole{.shown = {.name = name, .kind = std::string(part.predictor->kind())}};
    whole.shown.probabilities.resize(part.predictor->num_labels());
    part.predictor->predict(row_, domain_, whole.shown.probabilities);
    return whole;
  }

  const Model& model_;
  RowView row_;
  std::uint32_t domain_;
  std::uint32_t label_;
  std::uint32_t against_;
};

void check_label(const Model& model, std::uint32_t label) {
  if (label < model.labels.size()) return;
  throw UsageError(fmt::format("there is no label {}", label),
                   fmt::format("the model has {} labels, from 0", model.labels.size()));
}

std::uint32_t chosen_against(std::vector<double> probability, std::uint32_t label) {
  probability[label] = -1;
  return most_probable(probability);
}

void keep_strongest(LogOdds& sum, std::size_t top) {
  for (std::size_t i = top; i < sum.contributions.size(); ++i) {
    sum.omitted_sum += sum.contributions[i].contribution;
    ++sum.omitted;
  }
  sum.contributions.resize(std::min(top, sum.contributions.size()));
}

void keep_strongest(ComponentExplanation& component, std::size_t top) {
  keep_strongest(component.log_odds, top);
  if (component.gate) keep_strongest(*component.gate, top);
  for (ComponentExplanation& part : component.components) keep_strongest(part, top);
  for (ComponentExplanation& source : component.sources) keep_strongest(source, top);
}

}  // namespace

Explanation explain(const Model& model, RowView row, std::uint32_t domain,
                    const ExplainOptions& options) {
  std::vector<double> probability(model.labels.size());
  model.predictor->predict(row, domain, probability);
  Explanation result{.labels = model.labels,
                     .domain = model.info.domains[domain].name,
                     .general = model.predictor->general(row, domain)};
  result.predicted = most_probable(probability);
  result.label = options.label.value_or(result.predicted);
  check_label(model, result.label);
  result.against = options.against.value_or(chosen_against(probability, result.label));
  check_label(model, result.against);
  if (result.label == result.against) {
    throw UsageError(fmt::format("the label '{}' cannot be explained against itself",
                                 model.labels[result.label]),
                     "name another label to compare it with");
  }
  const ModelPart whole = parts_of(model);
  result.model = Explainer(model, row, domain, result.label, result.against)
                     .explain(whole, whole.name)
                     .shown;
  result.probabilities = std::move(probability);
  return result;
}

void keep_strongest(Explanation& explanation, std::size_t top) {
  keep_strongest(explanation.model, top);
}

}  // namespace megadapt
