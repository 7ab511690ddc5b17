#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/dataset.hpp"

namespace megadapt {

class Predictor;
class SectionWriter;

/// The id of the most probable label; on a tie, the lowest id.
inline std::uint32_t most_probable(std::span<const double> probability) {
  return static_cast<std::uint32_t>(std::ranges::max_element(probability) -
                                    probability.begin());
}

/// Tags of a sentence under a first-order tagger (D&M06 §3.3).
struct TagSequence {
  std::vector<std::uint32_t> tags;  // [T]
  double log_probability = 0;       ///< sum_t log p(tag_t | tag_{t-1}, x_t)
};

/// A previous tag that training has not seen; it has no features.
inline constexpr std::uint32_t kUnseenTag = kNone - 1;

/// The weights (lambda) of a linear part:
///     log p(label | x) = sum_f x_f weight(f, label) - log Z
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

/// The gate of a mixture, for rows of one domain:
///     log P(general | x) / P(specific | x) = intercept + sum of weight(f) over features f
///                                            that are present in x
struct GateWeights {
  double intercept = 0;
  std::span<const float> all;  // [F][domains]
  std::uint32_t num_domains = 0;
  std::uint32_t domain = 0;
  /// The presence probabilities psi that the weights follow from, general before the
  /// domains: [F][1 + domains]. Empty for a gate that is a logistic regression, and in
  /// models of older versions.
  std::span<const float> presence = {};
  std::optional<double> mean_general = {};  ///< mean P(general | x) of the training rows

  float operator()(std::uint32_t feature) const {
    return all[std::size_t{feature} * num_domains + domain];
  }
  /// psi of the general and of the domain's component; needs `presence`.
  float general_presence(std::uint32_t feature) const {
    return presence[std::size_t{feature} * (num_domains + 1)];
  }
  float specific_presence(std::uint32_t feature) const {
    return presence[std::size_t{feature} * (num_domains + 1) + domain + 1];
  }
};

/// The role of a part in the part that contains it.
enum class PartRole {
  whole,     ///< the model itself
  general,   ///< a mixture's expert for all domains
  specific,  ///< the expert for one domain, in a mixture or alone
  member,    ///< of a combination, which predicts p = sum of share * p(member)
  source,    ///< a model whose predictions are features
  former,    ///< an older model; it predicts every row as a row of `domain`
};

/// One predictor inside a model. Explanations, `inspect` and reports walk these parts.
///
/// A part with `weights` is linear, and its children are its sources. Any other part
/// consists of its children: one `former`, several `member`s, or one `specific` per domain
/// in order, preceded by `general` if it is a mixture.
struct ModelPart {
  std::string name = {};  ///< "general", or the name of a domain, member or source
  PartRole role = PartRole::whole;
  const Predictor* predictor = nullptr;      ///< of this part alone, before `temperature`
  double temperature = 1;                    ///< p(label)^(1 / temperature), normalised
  std::optional<std::uint32_t> domain = {};  ///< of a `specific` or `former` part
  double share = 1;                          ///< of a `member`
  std::optional<LinearWeights> weights = {};
  std::optional<GateWeights> gate = {};  ///< of a mixture's `specific` part
  /// Names of the features after those of the vocabulary: the predictions of the sources.
  std::vector<std::string> source_features = {};
  std::vector<ModelPart> children = {};

  /// Whether the first child has this role.
  bool has(PartRole child) const {
    return !children.empty() && children.front().role == child;
  }
};

/// Display names for the ids that predictors use.
struct PartNames {
  std::span<const std::string> labels = {};
  std::vector<std::string> domains = {};
  std::vector<std::string> sources = {};  ///< the domains other than the target with rows
};

/// The result of a fit: p(label | row) for rows of any domain.
class Predictor {
 public:
  using Ids = std::span<const std::uint32_t>;
  using Rows = std::span<const RowView>;
  using Numbers = std::span<double>;

  virtual ~Predictor() = default;
  /// The name of the class in a model file: "maxent", "mixture", ...
  virtual std::string_view kind() const = 0;
  virtual std::uint32_t num_labels() const = 0;
  virtual std::uint32_t num_features() const = 0;
  /// The number of domains that the predictor distinguishes; 0 when it treats all alike.
  virtual std::uint32_t num_domains() const { return 0; }
  /// Writes p(label | row) for a row of `domain`; the numbers sum to 1. Features with an id
  /// of num_features() or more have no weight.
  virtual void predict(RowView row, std::uint32_t domain, Numbers probability) const = 0;
  /// The same for `base` joined with each of `extensions`, written as [E][Y]. A tagger uses
  /// it to try all previous tags of a token. The features of an extension must not occur in
  /// `base`. The gate does not see them, so it is computed once per token (D&M06 §3.3).
  virtual void predict_extended(RowView base, Rows extensions, std::uint32_t domain,
                                Numbers probability) const;
  /// Prefetches the first weights of the features of a row that will be predicted soon.
  /// Ignores ids of num_features() or more.
  virtual void prefetch(Ids /*features*/, std::uint32_t /*domain*/) const {}
  /// P(general | row), if the model has a gate.
  virtual std::optional<double> general(RowView /*row*/, std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// pi, the share of a domain that is general, if the model has one.
  virtual std::optional<double> general_share(std::uint32_t /*domain*/) const {
    return std::nullopt;
  }
  /// The parts of this predictor. They point to its weights.
  virtual ModelPart parts(const PartNames& names) const = 0;
  /// The row that the weights of the part are applied to: `row` followed by the predictions
  /// of the sources. Returns `row` itself or a view into the two vectors.
  virtual RowView seen(RowView row, std::vector<std::uint32_t>& /*features*/,
                       std::vector<float>& /*values*/) const {
    return row;
  }
  /// Writes the parameters as sections whose names begin with `prefix`.
  virtual void save(SectionWriter& out, const std::string& prefix) const = 0;
};
using PredictorPtr = std::unique_ptr<Predictor>;

/// What is known about how a model was trained.
struct ModelInfo {
  struct Domain {
    std::string name;
    std::uint64_t examples = 0;
    std::optional<double> general_share;  ///< pi, if the system has one
  };

  std::string system;  ///< "mix", "megam", ...
  std::string target;  ///< the domain to predict for
  std::vector<Domain> domains;
  std::vector<std::pair<std::string, std::string>> options;  ///< in the order of --help
  std::uint64_t seed = 0;
  std::vector<SourceFile> sources;
  std::string created_by;  ///< "megadapt 0.2.0"
};

/// A trained system with everything needed to predict new rows. Movable, read-only.
struct Model {
  ModelInfo info;
  NameIndexView features;           ///< the bias has the empty name
  Binning binning;                  ///< of real values; may be empty
  Scaling scaling;                  ///< of real values; may be empty
  std::vector<std::string> labels;  ///< in the order of probabilities
  PredictorPtr predictor;
  TagScheme scheme = TagScheme::none;  ///< of a tagger: which tag may follow which
  /// How the training data was read; new input is read in the same way.
  std::shared_ptr<const Recipe> recipe = std::make_shared<Recipe>();
  std::string evaluation;  ///< the JSON object that `eval --store` wrote, or empty
  std::shared_ptr<const void> storage;  ///< owns what `features` and `predictor` point to

  std::uint32_t target() const;  ///< index of info.target in info.domains
  /// The index of the domain. Throws UsageError with a suggestion when the model does not
  /// know it.
  std::uint32_t domain(std::string_view name) const;
};

/// The parts of the model's predictor, with names. They point into the model, which must
/// outlive them.
ModelPart parts_of(const Model& model);
/// The name of a feature of `part`, which belongs to `model`: "(bias)" for the bias.
std::string feature_name(const Model& model, const ModelPart& part, std::uint32_t feature);

/// A model that is linear in its features: log p(y | x) = sum of x_f weight(f, y) plus a term
/// that does not depend on y.
struct LinearModel {
  LinearWeights weights;
  double temperature = 1;  ///< divides the weights

  /// 0 for a feature that came later than these weights.
  double weight(std::uint32_t feature, std::uint32_t label) const {
    if (feature >= weights.num_features()) return 0;
    return static_cast<double>(weights(feature, label)) / temperature;
  }
};
/// The linear model that predicts rows of `domain`; nothing if the model is not linear. It
/// points into the model, which must outlive it.
std::optional<LinearModel> linear_model(const Model& model, std::uint32_t domain);

/// Writes the model to a temporary file beside `path`, flushes it to the disk and renames
/// it, so that `path` is either the old file or the complete new one. "-" is standard
/// output. Throws ResourceError when the disk is full, UsageError when `path` cannot be
/// written.
void save_model(const Model& model, const std::string& path);
/// Throws UsageError when no model can be saved at `path`, so that the user learns of it
/// before hours of training, not after.
void check_model_path(const std::string& path);

/// Maps the file into memory; "-" reads standard input. `verify` compares every section
/// with its CRC32C. Throws ModelFileError for a damaged, truncated, foreign or newer file,
/// InputError when it cannot be opened.
Model load_model(const std::string& path, bool verify = true);

/// The same in memory. `name` stands for the file in messages.
std::vector<std::byte> model_bytes(const Model& model);
Model load_model(std::vector<std::byte> bytes, const std::string& name);

/// Converts a model file to text and back, bit for bit. Does not depend on the locale.
void export_model(const std::string& path, std::ostream& out);
void import_model(std::istream& in, const std::string& name, const std::string& path);

/// A section of a model file, and whether its bytes match its CRC32C.
struct SectionCheck {
  std::string name;
  std::string type;
  std::uint64_t bytes = 0;
  std::uint32_t crc = 0;
  bool intact = false;
};
std::vector<SectionCheck> check_sections(const std::string& path);

}  // namespace megadapt
