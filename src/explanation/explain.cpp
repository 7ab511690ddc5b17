#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/log_space.hpp"
#include "megadapt/error.hpp"
#include "megadapt/explanation.hpp"
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

// The sum as it is shown: sorted first, so that adding up what is printed gives the total.
void order_and_add(LogOdds& sum) {
  std::stable_sort(sum.contributions.begin(), sum.contributions.end(),
                   [](const Contribution& a, const Contribution& b) {
                     return std::abs(a.contribution) > std::abs(b.contribution);
                   });
  sum.total = sum.intercept;
  for (const Contribution& term : sum.contributions) sum.total += term.contribution;
}

std::size_t argmax(std::span<const double> values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) -
                                  values.begin());
}

/// A component and log p of the two labels, which stays finite where p itself is 0.
struct Part {
  ComponentExplanation shown;
  double log_label = 0;
  double log_against = 0;
};

/// Walks through a model's predictors for one row and pair of labels.
class Explainer {
 public:
  Explainer(const Model& model, RowView row, std::uint32_t domain, std::uint32_t label,
            std::uint32_t against)
      : model_(model),
        row_(row),
        domain_(domain),
        label_(label),
        against_(against),
        num_features_(model.features.size()),
        num_labels_(static_cast<std::uint32_t>(model.labels.size())) {}

  Part part(const Predictor& predictor, const std::string& name) const {
    if (const auto* maxent = dynamic_cast<const MaxentPredictor*>(&predictor)) {
      return linear(*maxent, row_, name);
    }
    if (const auto* each = dynamic_cast<const PerDomainPredictor*>(&predictor)) {
      return linear(each->expert(domain_), row_, name);
    }
    if (const auto* mixture = dynamic_cast<const MixturePredictor*>(&predictor)) {
      return mixed(*mixture, name);
    }
    if (const auto* members = dynamic_cast<const CombinationPredictor*>(&predictor)) {
      return combined(*members, name);
    }
    if (const auto* feats = dynamic_cast<const SourceFeaturesPredictor*>(&predictor)) {
      return over_sources(*feats, name);
    }
    if (const auto* former = dynamic_cast<const FormerPredictor*>(&predictor)) {
      return of_former(*former, name);
    }
    throw UsageError(
        fmt::format("a model of kind '{}' cannot be explained", predictor.kind()),
        "use a newer version of megadapt");
  }

 private:
  // log p(label) / p(against) = sum_f x_f (lambda_f,label - lambda_f,against).
  Part linear(const MaxentPredictor& expert, RowView row, const std::string& name) const {
    Part part{.shown = described(expert, name)};
    part.shown.probabilities.resize(expert.num_labels());
    expert.predict(row, domain_, part.shown.probabilities);
    std::vector<double> score(expert.num_labels());
    for (const auto& [feature, value] : active_features(row, expert.num_features())) {
      for (std::uint32_t y = 0; y < score.size(); ++y) {
        score[y] += value * static_cast<double>(expert.weight(feature, y));
      }
      const double difference = static_cast<double>(expert.weight(feature, label_)) -
                                static_cast<double>(expert.weight(feature, against_));
      part.shown.log_odds.contributions.push_back(
          {feature_name(feature), value, value * difference});
    }
    order_and_add(part.shown.log_odds);
    double log_total = -INFINITY;
    for (const double s : score) log_total = log_add(log_total, s);
    part.log_label = score[label_] - log_total;
    part.log_against = score[against_] - log_total;
    return part;
  }

  Part mixed(const MixturePredictor& mixture, const std::string& name) const {
    Part whole{.shown = described(mixture, name)};
    const LogOdds gate = gate_of(mixture);
    // Not 1 - sigmoid: a share near 1 would leave nothing of the other.
    add(linear(mixture.general_expert(), row_, "general"), log_sigmoid(gate.total), whole);
    add(linear(mixture.expert(domain_), row_, domain_name(domain_)),
        log_sigmoid(-gate.total), whole);
    whole.shown.gate = gate;
    return finished(std::move(whole), mixture);
  }

  LogOdds gate_of(const MixturePredictor& mixture) const {
    LogOdds gate{.intercept = mixture.gate_intercept(domain_)};
    for (const auto& [feature, value] : active_features(row_, mixture.num_features())) {
      const auto weight = static_cast<double>(mixture.gate_weight(feature, domain_));
      // Absent for the gate; or it may not see the feature, such as one of a tag.
      if (!(value > 0) || weight == 0) continue;
      gate.contributions.push_back({feature_name(feature), value, weight});
    }
    order_and_add(gate);
    return gate;
  }

  Part combined(const CombinationPredictor& members, const std::string& name) const {
    Part whole{.shown = described(members, name)};
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::string member = members.name(m);
      add(part(members.member(m),
               member.empty() ? fmt::format("member {}", m + 1) : member),
          std::log(members.weight(m)), whole);
      whole.shown.components.back().weight = members.weight(m);
    }
    return finished(std::move(whole), members);
  }

  // Linear in the features and in what the sources predict, which is shown beside it.
  Part over_sources(const SourceFeaturesPredictor& feats, const std::string& name) const {
    std::vector<std::uint32_t> features;
    std::vector<float> values;
    feats.extend(row_, features, values);
    Part part = linear(feats.model(), {features, values}, name);
    part.shown.kind = feats.kind();
    for (std::size_t s = 0; s < feats.num_sources(); ++s) {
      part.shown.sources.push_back(this->part(feats.source(s), source_name(s)).shown);
    }
    return part;
  }

  // What an older model says, in its own domain, features and labels. A label that came
  // later has no probability there, and nothing to be explained by.
  Part of_former(const FormerPredictor& former, const std::string& name) const {
    constexpr double kLogOfNothing = -700;
    const std::uint32_t known = former.former().num_labels();
    Part part{.shown = described(former.former(), name)};
    if (label_ < known && against_ < known) {
      Explainer older(model_, row_, former.domain(), label_, against_);
      older.num_features_ = former.former().num_features();
      older.num_labels_ = known;
      part = older.part(former.former(), name);
    } else {
      part.shown.probabilities.resize(former.num_labels());
      former.predict(row_, domain_, part.shown.probabilities);
      const auto log_of = [&](std::uint32_t label) {
        const double p = part.shown.probabilities[label];
        return p > 0 ? std::log(p) : kLogOfNothing;
      };
      part.log_label = log_of(label_);
      part.log_against = log_of(against_);
      part.shown.log_odds.total = part.log_label - part.log_against;
    }
    part.shown.probabilities.resize(num_labels_);
    return part;
  }

  static ComponentExplanation described(const Predictor& predictor,
                                        const std::string& name) {
    return {.name = name, .kind = std::string(predictor.kind())};
  }

  static void add(Part part, double log_weight, Part& whole) {
    const bool first = whole.shown.components.empty();
    const double label = log_weight + part.log_label;
    const double against = log_weight + part.log_against;
    whole.log_label = first ? label : log_add(whole.log_label, label);
    whole.log_against = first ? against : log_add(whole.log_against, against);
    part.shown.weight = std::exp(log_weight);
    whole.shown.components.push_back(std::move(part.shown));
  }

  Part finished(Part whole, const Predictor& predictor) const {
    whole.shown.probabilities.resize(predictor.num_labels());
    predictor.predict(row_, domain_, whole.shown.probabilities);
    whole.shown.log_odds.total = whole.log_label - whole.log_against;
    return whole;
  }

  // Behind the row's own features come, per source, Y labels and Y probabilities.
  std::string feature_name(std::uint32_t feature) const {
    if (feature < num_features_) {
      const std::string_view name = model_.features.name(feature);
      return name.empty() ? "(bias)" : std::string(name);
    }
    const std::uint32_t Y = num_labels_;
    const std::uint32_t behind = feature - num_features_;
    const std::uint32_t place = behind % (2 * Y);
    const std::string source = source_name(behind / (2 * Y));
    return place < Y ? fmt::format("{} says {}", source, model_.labels[place])
                     : fmt::format("{} p({})", source, model_.labels[place - Y]);
  }

  // Sources are the domains with rows, except the target.
  std::string source_name(std::size_t source) const {
    std::size_t index = 0;
    for (const ModelInfo::Domain& domain : model_.info.domains) {
      if (domain.name == model_.info.target || domain.examples == 0) continue;
      if (index++ == source) return domain.name;
    }
    return fmt::format("source {}", source + 1);
  }

  std::string domain_name(std::uint32_t domain) const {
    return model_.info.domains[domain].name;
  }

  const Model& model_;
  RowView row_;
  std::uint32_t domain_;
  std::uint32_t label_;
  std::uint32_t against_;
  std::uint32_t num_features_;  // of the model that is being explained, which may be a
  std::uint32_t num_labels_;    // former one with fewer
};

void check_label(const Model& model, std::uint32_t label) {
  if (label < model.labels.size()) return;
  throw UsageError(fmt::format("there is no label {}", label),
                   fmt::format("the model has {} labels, from 0", model.labels.size()));
}

std::uint32_t chosen_against(std::vector<double> probability, std::uint32_t label) {
  probability[label] = -1;
  return static_cast<std::uint32_t>(argmax(probability));
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

std::uint32_t domain_of(const Model& model, std::string_view name, std::uint32_t fallback) {
  for (std::uint32_t d = 0; d < model.info.domains.size(); ++d) {
    if (model.info.domains[d].name == name) return d;
  }
  return fallback;
}

}  // namespace

Explanation explain(const Model& model, RowView row, std::uint32_t domain,
                    const ExplainOptions& options) {
  std::vector<double> probability(model.labels.size());
  model.predictor->predict(row, domain, probability);
  Explanation result{.labels = model.labels,
                     .domain = model.info.domains[domain].name,
                     .general = model.predictor->general(row, domain)};
  result.predicted = static_cast<std::uint32_t>(argmax(probability));
  result.label = options.label.value_or(result.predicted);
  check_label(model, result.label);
  result.against = options.against.value_or(chosen_against(probability, result.label));
  check_label(model, result.against);
  if (result.label == result.against) {
    throw UsageError(fmt::format("the label '{}' cannot be explained against itself",
                                 model.labels[result.label]),
                     "name another label to compare it with");
  }
  result.model = Explainer(model, row, domain, result.label, result.against)
                     .part(*model.predictor, model.info.system)
                     .shown;
  result.probabilities = std::move(probability);
  return result;
}

Explanation explain(const Model& model, RowEncoder& encoder, const Row& row,
                    std::uint32_t fallback, const ExplainOptions& options) {
  Explanation result =
      explain(model, encoder.encode(row), domain_of(model, row.domain, fallback), options);
  for (const NamedFeature& feature : row.features) {
    if (model.features.find(feature.name) == kNone &&
        model.binning.features.find(feature.name) == kNone) {
      result.unseen.emplace_back(feature.name);
    }
  }
  return result;
}

void keep_strongest(Explanation& explanation, std::size_t top) {
  keep_strongest(explanation.model, top);
}

}  // namespace megadapt
