#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "megadapt/model.hpp"

namespace megadapt {

/// What one active feature adds to a sum.
struct Contribution {
  std::string feature = {};  ///< "(bias)" for the bias
  double value = 1;          ///< x_f
  double contribution = 0;
};

/// A logarithm of odds and the terms it is the sum of, the largest in magnitude first:
///
///     total = intercept + sum of contributions + omitted_sum
struct LogOdds {
  double total = 0;
  double intercept = 0;  ///< what does not depend on the row; 0 except for gates
  std::vector<Contribution> contributions = {};
  std::size_t omitted = 0;  ///< terms left out by keep_strongest()
  double omitted_sum = 0;
};

/// One predictor inside a model, and what it makes of the row.
struct ComponentExplanation {
  std::string name = {};  ///< "general", a domain, a system
  std::string kind = {};  ///< "maxent", "mixture", "combination" or "source-features"
  double weight = 1;      ///< its share in the one above: p = sum of weight * p(component)
  std::vector<double> probabilities = {};  ///< [Y], what the component itself predicts
  /// log p(label) / p(against). Linear components say what each feature adds:
  /// x_f (lambda_f,label - lambda_f,against); mixtures have components instead.
  LogOdds log_odds = {};
  /// log P(general | x) / P(specific | x), of a mixture.
  std::optional<LogOdds> gate = {};
  std::vector<ComponentExplanation> components = {};  ///< what is mixed here
  std::vector<ComponentExplanation> sources =
      {};  ///< models whose predictions are features
};

/// Why a model prefers a label over another one for a row.
struct Explanation {
  std::vector<std::string> labels = {};  ///< [Y], the model's
  std::uint32_t predicted = 0;
  std::uint32_t label = 0;                 ///< the one explained, predicted or chosen
  std::uint32_t against = 0;               ///< the label it is compared with
  std::vector<double> probabilities = {};  ///< [Y], as `predict` says them
  std::string previous = {};           ///< of a tagger, the tag before; `<s>` at the start
  std::string domain = {};             ///< the domain the row was taken to be of
  std::optional<double> general = {};  ///< P(general | x) where the whole model has a gate
  std::vector<std::string> unseen =
      {};  ///< features of the row that the model does not know
  ComponentExplanation model = {};
};

struct ExplainOptions {
  std::optional<std::uint32_t> label = {};    ///< else the predicted one
  std::optional<std::uint32_t> against = {};  ///< else the most probable other one
};

/// Takes a prediction apart.
///
/// With more than two labels log p(y) / (1 - p(y)) is no sum over features, but the
/// log-odds between two labels are: the normaliser cancels, and every active feature has
/// its share. So a label is explained against one other, by default the runner-up. Sums are
/// in double over the model's own weights and meet what is shown to 1e-9. Throws UsageError
/// when label and against are one, or there is no such label.
Explanation explain(const Model& model, RowView row, std::uint32_t domain,
                    const ExplainOptions& options = {});

/// Keeps the `top` largest contributions of every sum and adds up the rest.
void keep_strongest(Explanation& explanation, std::size_t top);

/// The JSON of docs/explain.md in one line: what `predict --json` says and, under "model",
/// the parts. Command line, server, report and Python share it.
std::string to_json(const Explanation& explanation);

}  // namespace megadapt
