#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

class SectionReader;
class SectionWriter;

class Predictor;

/// The place of the most probable label, the first of equals.
inline std::uint32_t most_probable(std::span<const double> probability) {
  return static_cast<std::uint32_t>(std::ranges::max_element(probability) -
                                    probability.begin());
}

/// Tags of a sentence under a first-order tagger (D&M06 §3.3).
struct TagSequence {
  std::vector<std::uint32_t> tags;  // [T]
  double log_probability = 0;       ///< sum_t log p(tag_t | tag_{t-1}, x_t)
};

/// A previous tag that training never saw: it gives no feature.
inline constexpr std::uint32_t kUnseenTag = kNone - 1;

/// lambda of a linear part: log p(label | x) = sum_f x_f weight(f, label) - log Z.
struct LinearWeights {
  std::span<const float> all;  // [F][stride]
  std::uint32_t num_labels = 0;
  std::uint32_t stride = 0;

  std::uint32_t num_features() const {
    return static_cast<std::uint32_t>(all.size() / stride);
  }
  float operator()(std::uint32_t feature, std::uint32_t label) const {
    return all[std::size_t{feature} * stride + label];
  }
};

/// log P(general | x) / P(specific | x) = intercept + sum of weight(f) over the features
/// present, for rows of one domain.
struct GateWeights {
  double intercept = 0;
  std::span<const float> all;  // [F][domains]
  std::uint32_t num_domains = 0;
  std::uint32_t domain = 0;

  float operator()(std::uint32_t feature) const {
    return all[std::size_t{feature} * num_domains + domain];
  }
};

/// What a part is to the one that contains it.
enum class PartRole {
  whole,     ///< the model itself
  general,   ///< the expert for all domains of a mixture
  specific,  ///< the expert for one domain, of a mixture or alone
  member,    ///< one of those that a combination adds up: p = sum of share * p(member)
  source,    ///< a model whose predictions are features
  former,    ///< an older model; every row counts as one of `domain`
};

/// One predictor inside a model: what explain, inspect, export and report walk through.
///
/// A part with `weights` is linear. Any other one is made of its children: one `former`,
/// several `member`s, or one `specific` per domain, in order, behind the `general` of a
/// mixture. The children of a linear part are its sources.
struct ModelPart {
  std::string name = {};  ///< "general", a domain, a member's system, a source
  PartRole role = PartRole::whole;
  const Predictor* predictor = nullptr;      ///< what it predicts by itself
  std::optional<std::uint32_t> domain = {};  ///< of `specific` and `former`
  double share = 1;                          ///< of a `member`
  std::optional<LinearWeights> weights = {};
  std::optional<GateWeights> gate = {};  ///< of a mixture's `specific`
  /// Names of the features behind the vocabulary: what the sources predict.
  std::vector<std::string> source_features = {};
  std::vector<ModelPart> children = {};

  /// Whether one of the children is of this role.
  bool has(PartRole child) const {
    return !children.empty() && children.front().role == child;
  }
};

/// How people call what predictors number.
struct PartNames {
  std::span<const std::string> labels = {};
  std::vector<std::string> domains = {};
  std::vector<std::string> sources = {};  ///< the domains that have rows, except the target
};

/// What training leaves behind: p(label | row), for rows of any domain.
class Predictor {
 public:
  virtual ~Predictor() = default;
  /// Names the class in a model file: "maxent", "mixture", ...
  virtual std::string_view kind() const = 0;
  virtual std::uint32_t num_labels() const = 0;
  virtual std::uint32_t num_features() const = 0;
  /// How many domains it tells apart; 0 when it predicts alike for all.
  virtual std::uint32_t num_domains() const { return 0; }
  /// Writes p(label | row) for a row of `domain`; the numbers sum to 1. Features with an id
  /// of num_features() or more have no weight.
  virtual void predict(RowView row, std::uint32_t domain,
                       std::span<double> probability) const = 0;
  /// The same for `base` joined with each of `extensions`, written as [E][Y]: what a tagger
  /// asks for all previous tags of a token. The features of an extension are not in `base`
  /// and have no part in a gate, so the gate is one number per token (D&M06 §3.3).
  virtual void predict_extended(RowView base, std::span<const RowView> extensions,
                                std::uint32_t domain, std::span<double> probability) const;
  /// Asks the memory for the first weights of these features, of a row that comes soon; ids
  /// past num_features() are passed over.
  virtual void prefetch(std::span<const std::uint32_t> /*features*/,
                        std::uint32_t /*domain*/) const {}
  /// P(general | row) where the model has a gate.
  virtual std::optional<double> general(RowView /*row*/, std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// pi: the share of a domain that is general, where the model has one.
  virtual std::optional<double> general_share(std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// What it is made of; the part looks at this predictor's numbers.
  virtual ModelPart parts(const PartNames& names) const = 0;
  /// The row as the weights of its part see it: with what the sources predict behind its
  /// own features. The answer is `row` itself or lies in the two vectors.
  virtual RowView seen(RowView row, std::vector<std::uint32_t>& /*features*/,
                       std::vector<float>& /*values*/) const {
    return row;
  }
  /// Writes the parameters as sections whose names begin with `prefix`.
  virtual void save(SectionWriter& out, const std::string& prefix) const = 0;
};

}  // namespace megadapt
