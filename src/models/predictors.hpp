#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "megadapt/training.hpp"

namespace megadapt {

/// Returns the padded number of labels, so that a feature's weights fill whole vector
/// registers: 2 for two labels, else the next multiple of 4.
constexpr std::uint32_t label_stride(std::uint32_t num_labels) {
  return num_labels <= 2 ? 2 : (num_labels + 3) / 4 * 4;
}

/// p(y | x) = exp(lambda_y . x) / Z (D&M06 §3.1). Weights are float in memory as in the
/// file, so a saved model predicts the same.
class MaxentPredictor final : public Predictor {
 public:
  /// `weights` is [F][Y] in double and is rounded to float.
  MaxentPredictor(std::uint32_t num_labels, std::span<const double> weights);
  /// Uses the sections of a mapped file, which must outlive the predictor.
  MaxentPredictor(const SectionReader& in, const std::string& prefix);
  /// Not copyable: a copy would refer to the original's weights.
  MaxentPredictor(MaxentPredictor&&) = default;

  std::string_view kind() const override { return "maxent"; }
  std::uint32_t num_labels() const override { return num_labels_; }
  void prefetch(Ids features, std::uint32_t domain) const override;
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

  std::uint32_t num_features() const override {
    return static_cast<std::uint32_t>(weights_.size() / label_stride(num_labels_));
  }
  /// lambda of one feature and label.
  float weight(std::uint32_t feature, std::uint32_t label) const {
    return weights_[std::size_t{feature} * label_stride(num_labels_) + label];
  }

 private:
  void add_scores(RowView row, std::span<double> scores) const;

  std::uint32_t num_labels_;
  std::vector<float> owned_;
  std::span<const float> weights_;  // [F][label_stride(Y)], padding is 0
};

/// Returns the prefix of the sections of one domain's model inside a model with the prefix
/// `prefix`.
std::string expert_prefix(const std::string& prefix, std::size_t domain);

/// One maximum entropy model for each domain.
class PerDomainPredictor final : public Predictor {
 public:
  /// `experts` has one model per domain, all of the same size.
  explicit PerDomainPredictor(std::vector<MaxentPredictor> experts);
  PerDomainPredictor(const SectionReader& in, const std::string& prefix);

  std::string_view kind() const override { return "per-domain"; }
  std::uint32_t num_labels() const override { return experts_[0].num_labels(); }
  std::uint32_t num_features() const override { return experts_[0].num_features(); }
  std::uint32_t num_domains() const override {
    return static_cast<std::uint32_t>(experts_.size());
  }
  void prefetch(Ids features, std::uint32_t domain) const override;
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

 private:
  std::vector<MaxentPredictor> experts_;  // [K]
};

/// p(y | x) = sum_m weight_m p_m(y | x): a convex combination of other predictors.
class CombinationPredictor final : public Predictor {
 public:
  /// `names` are display names of the members; may be empty.
  CombinationPredictor(std::vector<PredictorPtr> members, std::vector<double> weights,
                       std::vector<std::string> names = {});
  CombinationPredictor(const SectionReader& in, const std::string& prefix);

  std::string_view kind() const override { return "combination"; }
  std::uint32_t num_labels() const override { return members_[0]->num_labels(); }
  std::uint32_t num_features() const override { return members_[0]->num_features(); }
  std::uint32_t num_domains() const override;
  void prefetch(Ids features, std::uint32_t domain) const override;
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

 private:
  std::vector<PredictorPtr> members_;
  std::vector<double> weights_;
  std::vector<std::string> names_;
};

/// A maximum entropy model over the features followed by the predictions of source models
/// (D&M06 §6.2, "Feats"): per source Y indicators of its label, then Y probabilities.
class SourceFeaturesPredictor final : public Predictor {
 public:
  /// All `sources` must have the same size and ignore the domain.
  SourceFeaturesPredictor(std::vector<PredictorPtr> sources, SourceFeatures which,
                          MaxentPredictor model);
  SourceFeaturesPredictor(const SectionReader& in, const std::string& prefix);

  std::string_view kind() const override { return "source-features"; }
  std::uint32_t num_labels() const override { return model_.num_labels(); }
  std::uint32_t num_features() const override { return sources_[0]->num_features(); }
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

  /// Returns the features it knows, then the sources' predictions.
  RowView seen(RowView row, std::vector<std::uint32_t>& features,
               std::vector<float>& values) const override;

  /// Appends the sources' predictions for `row` as features and values.
  static void extend(std::span<const PredictorPtr> sources, SourceFeatures which,
                     RowView row, std::vector<std::uint32_t>& features,
                     std::vector<float>& values);

 private:
  std::vector<PredictorPtr> sources_;
  SourceFeatures which_;
  MaxentPredictor model_;  // has num_features() + 2 Y sources features
};

/// An older model inside a newer one, whose features and labels begin with the older one's.
/// It treats every row as one of `domain` and gives newer labels probability 0.
class FormerPredictor final : public Predictor {
 public:
  FormerPredictor(std::shared_ptr<const Predictor> former, std::uint32_t domain,
                  std::uint32_t num_labels, std::uint32_t num_features);
  FormerPredictor(const SectionReader& in, const std::string& prefix);

  std::string_view kind() const override { return "former"; }
  std::uint32_t num_labels() const override { return num_labels_; }
  std::uint32_t num_features() const override { return num_features_; }
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

 private:
  std::shared_ptr<const Predictor> former_;
  std::uint32_t domain_;
  std::uint32_t num_labels_;
  std::uint32_t num_features_;
};

/// Replaces each probability by p^(1 / temperature), normalised. Above 1 the predictions
/// become less certain, below 1 more certain. The most probable label stays the same.
void apply_temperature(double temperature, std::span<double> probability);

/// Another predictor whose probabilities have a temperature.
class CalibratedPredictor final : public Predictor {
 public:
  CalibratedPredictor(std::shared_ptr<const Predictor> inner, double temperature)
      : inner_(std::move(inner)), temperature_(temperature) {}
  CalibratedPredictor(const SectionReader& in, const std::string& prefix);

  std::string_view kind() const override { return "calibrated"; }
  std::uint32_t num_labels() const override { return inner_->num_labels(); }
  std::uint32_t num_features() const override { return inner_->num_features(); }
  std::uint32_t num_domains() const override { return inner_->num_domains(); }
  void prefetch(Ids features, std::uint32_t domain) const override {
    inner_->prefetch(features, domain);
  }
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  std::optional<double> general(RowView row, std::uint32_t domain) const override {
    return inner_->general(row, domain);
  }
  std::optional<double> general_share(std::uint32_t domain) const override {
    return inner_->general_share(domain);
  }
  /// The parts of the predictor inside, with ModelPart::temperature.
  ModelPart parts(const PartNames& names) const override;
  RowView seen(RowView row, std::vector<std::uint32_t>& features,
               std::vector<float>& values) const override {
    return inner_->seen(row, features, values);
  }
  void save(SectionWriter& out, const std::string& prefix) const override;

 private:
  std::shared_ptr<const Predictor> inner_;
  double temperature_;
};

/// One of the K + 1 distributions that an example may be drawn from (D&M06 §3.2).
struct Component {
  std::vector<double> weights;   // lambda [F][Y]
  std::vector<double> presence;  // psi [F]; 1/2 for features outside the gate
};

/// log P(general | x) / P(specific | x) = intercept[d] + sum_{f in x} weights[f][d] for a
/// row of domain d; f in x means x_f > 0. Both kinds of gate have this form.
struct LinearGate {
  std::vector<double> intercept;  // [K]
  std::vector<double> weights;    // [F][K]
};

/// K domains, each a mixture of its own component and the general one.
struct Mixture {
  Component general;
  std::vector<Component> domain;      // [K]
  std::vector<double> general_share;  // pi [K]
  LinearGate gate;
  double objective = 0;  ///< penalised conditional log likelihood when training ended
  std::vector<double> mean_general = {};  ///< mean P(general | x) of a domain's rows: [K]
  bool has_presence = false;              ///< the gate is made of the components' presence
  MixtureEnd end = {};
};

/// p(y | x) = P(g | x) p(y | x, g) + P(d | x) p(y | x, d) for a row of domain d (D&M06
/// §5.7).
class MixturePredictor final : public Predictor {
 public:
  MixturePredictor(std::uint32_t num_labels, const Mixture& mixture);
  MixturePredictor(const SectionReader& in, const std::string& prefix);
  MixturePredictor(MixturePredictor&&) = default;

  std::string_view kind() const override { return "mixture"; }
  std::uint32_t num_labels() const override { return general_.num_labels(); }
  std::uint32_t num_features() const override { return general_.num_features(); }
  std::uint32_t num_domains() const override {
    return static_cast<std::uint32_t>(domain_.size());
  }
  void prefetch(Ids features, std::uint32_t domain) const override;
  void predict(RowView row, std::uint32_t domain, Numbers probability) const override;
  void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                        Numbers probability) const override;
  std::optional<double> general(RowView row, std::uint32_t domain) const override;
  std::optional<double> general_share(std::uint32_t domain) const override {
    return general_share_[domain];
  }
  ModelPart parts(const PartNames& names) const override;
  void save(SectionWriter& out, const std::string& prefix) const override;

 private:
  void read_description(const SectionReader& in, const std::string& prefix);
  float gate_weight(std::uint32_t feature, std::uint32_t domain) const {
    return gate_weights_[std::size_t{feature} * domain_.size() + domain];
  }

  MaxentPredictor general_;
  std::vector<MaxentPredictor> domain_;
  std::vector<double> general_share_;   // pi [K]
  std::vector<double> mean_general_;    // [K]; empty in older files
  std::vector<double> gate_intercept_;  // [K]
  std::vector<float> owned_presence_;
  std::span<const float> presence_;  // psi [F][1 + K]; empty if the gate has none
  std::vector<float> owned_gate_;
  std::span<const float> gate_weights_;  // [F][K]
};

}  // namespace megadapt
