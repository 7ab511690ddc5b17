#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// The term of one active feature in a sum.
struct Contribution {
  std::string feature = {};  ///< "(bias)" for the bias
  double value = 1;          ///< x_f
  double contribution = 0;
};

/// Log-odds as a sum of terms, the largest in magnitude first:
///
///     total = intercept + sum of contributions + omitted_sum
struct LogOdds {
  double total = 0;
  double intercept = 0;  ///< the part that does not depend on the row; 0 except for gates
  std::vector<Contribution> contributions = {};
  std::size_t omitted = 0;  ///< number of terms that keep_strongest() removed
  double omitted_sum = 0;
};

/// The prediction of one part of a model for the row.
struct ComponentExplanation {
  std::string name = {};  ///< "general", a domain, a system
  std::string kind = {};  ///< "maxent", "mixture", "combination" or "source-features"
  double weight = 1;      ///< its share in its parent: p = sum of weight * p(component)
  /// The temperature of the component's probabilities; `log_odds` are divided by it. Its
  /// own components and its gate are shown without it.
  double temperature = 1;
  std::vector<double> probabilities = {};  ///< [Y], as the component alone predicts them
  /// log p(label) / p(against). In a linear component, feature f contributes
  /// x_f (lambda_f,label - lambda_f,against). Mixtures have components instead.
  LogOdds log_odds = {};
  /// log P(general | x) / P(specific | x), of a mixture.
  std::optional<LogOdds> gate = {};
  std::vector<ComponentExplanation> components = {};  ///< of a mixture or combination
  std::vector<ComponentExplanation> sources =
      {};  ///< models whose predictions are features
};

/// Why a model prefers a label over another one for a row.
struct Explanation {
  std::vector<std::string> labels = {};  ///< [Y], the model's
  std::uint32_t predicted = 0;
  std::uint32_t label = 0;                 ///< the label explained
  std::uint32_t against = 0;               ///< the label it is compared with
  std::vector<double> probabilities = {};  ///< [Y], as `predict` gives them
  std::string previous = {};  ///< of a tagger: the previous tag; `<s>` at the start
  std::string domain = {};    ///< the domain of the row in this prediction
  std::optional<double> general = {};    ///< P(general | x) if the whole model has a gate
  std::vector<std::string> unseen = {};  ///< features that the model does not know
  ComponentExplanation model = {};
};

struct ExplainOptions {
  std::optional<std::uint32_t> label = {};    ///< unset: the predicted label
  std::optional<std::uint32_t> against = {};  ///< unset: the most probable other label
};

/// Splits a prediction into the terms that add up to it.
///
/// With more than two labels log p(y) / (1 - p(y)) is not a sum over features. The log-odds
/// of two labels are, because the normaliser cancels. So a label is explained against one
/// other label, by default the runner-up. Sums are in double over the model's own weights
/// and agree with the totals to 1e-9. Throws UsageError when `label` and `against` are
/// equal or do not exist.
Explanation explain(const Model& model, RowView row, std::uint32_t domain,
                    const ExplainOptions& options = {});

/// Keeps the `top` largest contributions of every sum and adds up the rest.
void keep_strongest(Explanation& explanation, std::size_t top);

/// Returns the JSON of docs/explain.md on one line: what `predict --json` prints, and the
/// components as "model". Command line, server, report and Python share it.
std::string to_json(const Explanation& explanation);

using NamedFeatures = std::vector<std::pair<std::string, float>>;  ///< names and values

/// The input of a program: a text, or features by name. The model's recipe turns it into a
/// row as it did with the training rows.
struct Example {
  std::optional<std::string> text = {};
  /// Columns by name, for a model of several columns of text, or of numbers and categories.
  std::map<std::string, std::string, std::less<>> columns = {};
  NamedFeatures features = {};
  bool has_values = false;  ///< false: every value counts as 1
  std::string domain = {};  ///< a domain of the model; empty, or any other: the target
  std::string id = {};
};

/// The tokens of a sentence, with columns of the same length.
struct TokenList {
  std::vector<std::string> tokens = {};
  /// By name: the columns of the model's task other than token and tag. Missing columns and
  /// values of `_` are unknown.
  std::map<std::string, std::vector<std::string>, std::less<>> columns = {};
  std::optional<std::pair<std::size_t, std::size_t>> span =
      {};  ///< half open; mention-type
};

/// The prediction for a row, a token or a marked span.
struct Prediction {
  std::uint32_t label = 0;  ///< the most probable label; of a token, in the best sequence
  /// [Y] in the order of labels(). For a token, given the whole sentence.
  std::vector<double> probabilities = {};
  std::optional<double> general = {};  ///< P(general | x) if the model has a gate
};

/// A sentence of a text, with a prediction for each token.
struct PredictedSentence {
  std::vector<std::string> tokens = {};
  /// [tokens + 1]: the text before the first token, between tokens, and after the last. All
  /// spaces and tokens in order are the text, byte for byte.
  std::vector<std::string> spaces = {};
  std::vector<Prediction> predictions = {};  ///< [tokens]
};

/// Rows that name a domain which the model does not know. They are predicted as rows that
/// name none.
struct UnknownDomains {
  std::size_t rows = 0;
  std::string first = {};  ///< the first such name

  void add(std::string_view name) {
    if (rows++ == 0) first = name;
  }
};

/// How to read a file for prediction. By default it is read like the training data.
struct OpenOptions {
  std::string format = {};     ///< the name of the format; empty: guessed
  ColumnNames names = {};      ///< of rows: columns with other names than in training
  std::string columns = {};    ///< of sentences: the columns of this file
  std::string as_domain = {};  ///< domain of rows that name none; empty: the target
  bool labelled = false;       ///< the first field is a label
  bool skip_bad = false;       ///< skip sentences that cannot be used
  bool digest = false;         ///< compute sha256()
  LabelMap* label_map = nullptr;
  UnknownDomains* unknown_domains = nullptr;  ///< counts such rows as they are read
  const std::atomic<bool>* stop = nullptr;
};

/// The common base of Classifier and Tagger.
class LoadedModel {
 public:
  const Model& model() const { return *model_; }
  const std::vector<std::string>& labels() const { return model_->labels; }
  const ModelInfo& info() const { return model_->info; }
  std::vector<std::string> domains() const;
  const std::string& target() const { return model_->info.target; }
  bool has_gate() const;
  bool has_task() const { return model_->recipe->task.has_value(); }  ///< reads sentences
  bool knows_domain(std::string_view name) const;
  /// Returns the id of the domain that a row names, or `fallback` if the row names none or
  /// one that the model does not know.
  std::uint32_t domain_of_row(std::string_view own, std::uint32_t fallback) const {
    return own.empty() || !knows_domain(own) ? fallback : model_->domain(own);
  }
  /// Returns the id of the domain `name`, or of the target if `name` is empty. Throws
  /// UsageError with a suggestion when the model does not know the domain.
  std::uint32_t domain_of(std::string_view name) const {
    return name.empty() ? model_->target() : model_->domain(name);
  }

 protected:
  explicit LoadedModel(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  /// Returns a pointer that does not own the model. The model must outlive it.
  static std::shared_ptr<const Model> borrowed(const Model& model) {
    return {std::shared_ptr<const Model>(), &model};
  }
  std::shared_ptr<const Model> model_;
};

/// Predicts and explains rows by a model. Every front end uses this class.
///
///     const auto phones = megadapt::Classifier::load("phones.mega");
///     const auto answer = phones.predict({.text = "battery died after a week"});
///     std::puts(phones.labels()[answer.label].c_str());
///
/// Safe to use from many threads. Each thread needs a Worker of its own.
class Classifier : public LoadedModel {
 public:
  class Worker;

  /// Loads a model file as load_model() does.
  static Classifier load(const std::string& path, bool verify = true);
  explicit Classifier(Model model)
      : LoadedModel(std::make_shared<const Model>(std::move(model))) {}
  explicit Classifier(std::shared_ptr<const Model> model) : LoadedModel(std::move(model)) {}
  static Classifier over(const Model& model) { return Classifier(borrowed(model)); }

  /// The columns that Example::columns may have: of text, numbers and categories.
  std::vector<std::string> input_columns() const;
  Prediction predict(const Example& example) const;
  /// The predictions of many examples, in their order.
  std::vector<Prediction> predict(std::span<const Example> examples,
                                  const Execution& exec) const;
  Explanation explain(const Example& example, const ExplainOptions& options = {}) const;
  /// p(label | row) and P(general | row) of a row whose features are ids of the model.
  void predict(RowView row, std::uint32_t domain, std::span<double> probability) const {
    model_->predictor->predict(row, domain, probability);
  }
  std::optional<double> general(RowView row, std::uint32_t domain) const {
    return model_->predictor->general(row, domain);
  }

  /// Opens a file of rows for Worker::predict.
  std::unique_ptr<RowReader> open(const std::string& path,
                                  const OpenOptions& options = {}) const;
  Worker worker(std::string_view as_domain = {}) const;
};

/// Predicts one row after another without allocating memory.
class Classifier::Worker {
 public:
  /// `fallback` is the domain of rows that do not name one.
  Worker(const Classifier& classifier, std::uint32_t fallback);
  ~Worker();
  Worker(Worker&&) noexcept;

  /// Turns an example into a row by the recipe. The row is valid until the next call, and
  /// as long as the example.
  const Row& read(const Example& example);
  /// p(label | row), in the order of labels(); valid until the next call.
  std::span<const double> predict(const Row& row);
  /// P(general | row) of the row predicted last, if the model has a gate.
  std::optional<double> general() const;
  /// The ids, the domain and the named features of the row predicted last; valid until the
  /// next call, and as long as that row.
  RowView encoded() const;
  std::uint32_t domain() const;
  std::span<const NamedFeature> named() const;
  /// Explanation::unseen has the features of the row that the model does not know.
  Explanation explain(const Row& row, const ExplainOptions& options = {});
  std::size_t unseen() const;  ///< number of unknown features so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Tags sentences by a model. Every front end uses this class.
///
///     const auto tagger = megadapt::Tagger::load("pos.mega");
///     for (const auto& token : tagger.predict({.tokens = {"the", "dog", "barks"}}))
///       std::puts(tagger.labels()[token.label].c_str());
///
/// Safe to use from many threads. Each thread needs a Worker of its own.
class Tagger : public LoadedModel {
 public:
  class Worker;

  /// Loads a model file as load_model() does. Throws UsageError unless the model has a task
  /// or features of the previous tag.
  static Tagger load(const std::string& path, bool verify = true);
  explicit Tagger(Model model) : Tagger(std::make_shared<const Model>(std::move(model))) {}
  explicit Tagger(std::shared_ptr<const Model> model);
  static Tagger over(const Model& model) { return Tagger(borrowed(model)); }

  const TaskOptions& task() const { return task_; }  ///< if has_task()
  /// The best tag of each token, or the label of the span.
  std::vector<Prediction> predict(const TokenList& list,
                                  std::string_view as_domain = {}) const;
  /// Splits a text as `tag` splits a file, and tags its sentences. `format` is "prose", or
  /// "text" for one sentence a line with spaces between tokens; empty: guessed. Not for
  /// models of marked spans.
  std::vector<PredictedSentence> predict_text(std::string_view text,
                                              std::string_view as_domain = {},
                                              std::string_view format = {}) const;
  /// Returns the text with the case that a recap model predicts; nothing else changes.
  std::string recase_text(std::string_view text, std::string_view as_domain = {},
                          std::string_view format = {}) const;
  /// Returns the list as a Sentence. Throws InputError when the lists differ in length, or
  /// when a span is missing or outside the sentence.
  Sentence sentence(const TokenList& list) const;

  /// Opens a file of sentences for Worker::read.
  std::unique_ptr<SentenceReader> open(const std::string& path,
                                       const OpenOptions& options = {}) const;
  /// A reader of `text`, which must outlive it; for Worker::read.
  std::unique_ptr<SentenceReader> open_text(std::string_view text,
                                            std::string_view format = {}) const;
  Worker worker(std::string_view as_domain = {}) const;

 private:
  TaskOptions task_;
};

/// Tags one sentence after another. Results refer to the sentence read last.
class Tagger::Worker {
 public:
  Worker(const Tagger& tagger, std::uint32_t domain);
  ~Worker();
  Worker(Worker&&) noexcept;

  /// The sentence must live until the next call of read() or the last use of this worker.
  void read(const Sentence& sentence);
  void read(const Sentence& sentence, std::uint32_t domain);
  /// For a model without a task, whose tokens have named features.
  void read(std::span<const NamedFeatures> tokens, std::uint32_t domain);

  std::size_t size() const;  ///< number of tokens, or 1 for a span
  /// The most probable allowed tags. A `beam` > 0 keeps only that many tags of each token.
  TagSequence best(std::size_t beam = 0) const;
  /// The `count` most probable sequences, best first, or all if there are fewer.
  std::vector<TagSequence> n_best(std::size_t count) const;
  std::vector<double> marginals() const;  ///< P(tag of token t | sentence): [T][Y]
  std::optional<double> general(std::size_t t) const;
  std::vector<Prediction> predict() const;
  /// p(tag | previous tag, x_t): [Y]. As previous tag, kNone stands for the start of the
  /// sentence and kUnseenTag for a tag that training has not seen.
  void probabilities(std::size_t t, std::uint32_t previous, std::span<double> out) const;
  /// Explains the tag of each token in the best sequence, given the previous tag there, or
  /// the label of a span. Components explain p(tag | previous tag, x), but
  /// Explanation::probabilities are conditional on the whole sentence. So the tag in the
  /// best sequence need not be the most probable tag of its token.
  std::vector<Explanation> explain(const ExplainOptions& options = {});
  /// Returns the tokens with the case that a recap model predicts.
  std::vector<std::string> recased() const;
  std::size_t unseen() const;  ///< number of unknown features so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
