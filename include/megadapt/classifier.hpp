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
#include "megadapt/explanation.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

using NamedFeatures = std::vector<std::pair<std::string, float>>;  ///< with their values

/// A row as a program has it: a text, or features by name. The model's recipe makes of it
/// what it made of the training rows.
struct Example {
  std::optional<std::string> text = {};
  NamedFeatures features = {};
  bool has_values = false;  ///< values count; else every feature is worth 1
  std::string domain = {};  ///< one that the model knows; empty: the target
  std::string id = {};
};

/// Tokens as a program has them, with lists of the same length beside them.
struct TokenList {
  std::vector<std::string> tokens = {};
  /// By name: columns that the model's task has besides token and tag. What is left out,
  /// and a value of `_`, counts as not known.
  std::map<std::string, std::vector<std::string>, std::less<>> columns = {};
  std::optional<std::pair<std::size_t, std::size_t>> span =
      {};  ///< half open; mention-type
};

/// What a model says of a row, of a token or of a marked span.
struct Prediction {
  std::uint32_t label = 0;  ///< the most probable one; of a token, in the best sequence
  std::vector<double> probabilities = {};  ///< [Y] in the order of labels(); of a token,
                                           ///< given the whole sentence
  std::optional<double> general = {};      ///< P(general | x) where the model has a gate
};

/// How a file is read that a model is used on. What is not given is as in training.
struct OpenOptions {
  std::string format = {};     ///< a name of the format; else it is guessed
  std::string columns = {};    ///< of sentences: what the columns of this file hold
  std::string as_domain = {};  ///< of rows that name none; else the target
  bool labelled = false;       ///< the first field is a label
  bool skip_bad = false;       ///< leave out sentences that cannot be used
  bool digest = false;         ///< compute sha256()
  LabelMap* label_map = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

/// What Classifier and Tagger share: a model and what it is called by.
class LoadedModel {
 public:
  const Model& model() const { return *model_; }
  const std::vector<std::string>& labels() const { return model_->labels; }
  const ModelInfo& info() const { return model_->info; }
  std::vector<std::string> domains() const;
  const std::string& target() const { return model_->info.target; }
  bool has_gate() const;
  bool has_task() const { return model_->recipe->task.has_value(); }  ///< takes sentences
  /// The domain of input that names `own`: that one, or where it is empty the fallback.
  /// UsageError with a suggestion when the model does not know it.
  std::uint32_t domain_of(std::string_view own, std::uint32_t fallback) const {
    return own.empty() ? fallback : model_->domain(own);
  }
  std::uint32_t domain_of(std::string_view own) const {
    return own.empty() ? model_->target() : model_->domain(own);
  }

 protected:
  explicit LoadedModel(std::shared_ptr<const Model> model) : model_(std::move(model)) {}
  /// Over a model that outlives this.
  static std::shared_ptr<const Model> borrowed(const Model& model) {
    return {std::shared_ptr<const Model>(), &model};
  }
  std::shared_ptr<const Model> model_;
};

/// A model at work on rows: every front end predicts and explains rows through this class.
///
///     const auto phones = megadapt::Classifier::load("phones.mega");
///     const auto answer = phones.predict({.text = "battery died after a week"});
///     std::puts(phones.labels()[answer.label].c_str());
///
/// Safe to use from many threads; a Worker is for one of them.
class Classifier : public LoadedModel {
 public:
  class Worker;

  /// As load_model().
  static Classifier load(const std::string& path, bool verify = true);
  explicit Classifier(Model model)
      : LoadedModel(std::make_shared<const Model>(std::move(model))) {}
  explicit Classifier(std::shared_ptr<const Model> model) : LoadedModel(std::move(model)) {}
  static Classifier over(const Model& model) { return Classifier(borrowed(model)); }

  Prediction predict(const Example& example) const;
  /// The same for many, in their order.
  std::vector<Prediction> predict(std::span<const Example> examples,
                                  const Execution& exec) const;
  Explanation explain(const Example& example, const ExplainOptions& options = {}) const;
  /// p(label | row) of a row whose features are ids of the model, and P(general | row).
  void predict(RowView row, std::uint32_t domain, std::span<double> probability) const {
    model_->predictor->predict(row, domain, probability);
  }
  std::optional<double> general(RowView row, std::uint32_t domain) const {
    return model_->predictor->general(row, domain);
  }

  /// Opens a file of rows, to be given to Worker::predict. A row of a domain that the model
  /// does not know is refused with InputError.
  std::unique_ptr<RowReader> open(const std::string& path,
                                  const OpenOptions& options = {}) const;
  Worker worker(std::string_view as_domain = {}) const;
};

/// Predicts one row after another without allocating.
class Classifier::Worker {
 public:
  /// `fallback` is the domain of rows that name none.
  Worker(const Classifier& classifier, std::uint32_t fallback);
  ~Worker();
  Worker(Worker&&) noexcept;

  /// The row that the recipe makes of an example; valid until the next call and as long as
  /// the example.
  const Row& read(const Example& example);
  /// p(label | row), in the order of labels(); valid until the next call.
  std::span<const double> predict(const Row& row);
  /// P(general | row) of the row predicted last, where the model has a gate.
  std::optional<double> general() const;
  /// Also says which features of the row the model does not know.
  Explanation explain(const Row& row, const ExplainOptions& options = {});
  std::size_t unseen() const;  ///< features left out so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A model at work on sentences: every front end tags through this class.
///
///     const auto tagger = megadapt::Tagger::load("pos.mega");
///     for (const auto& token : tagger.predict({.tokens = {"the", "dog", "barks"}}))
///       std::puts(tagger.labels()[token.label].c_str());
///
/// Safe to use from many threads; a Worker is for one of them.
class Tagger : public LoadedModel {
 public:
  class Worker;

  /// As load_model(); UsageError unless the model has a task or features of the tag before.
  static Tagger load(const std::string& path, bool verify = true);
  explicit Tagger(Model model) : Tagger(std::make_shared<const Model>(std::move(model))) {}
  explicit Tagger(std::shared_ptr<const Model> model);
  static Tagger over(const Model& model) { return Tagger(borrowed(model)); }

  const TaskOptions& task() const { return task_; }  ///< of a model that has one
  /// The best tag of each token, or the label of the span.
  std::vector<Prediction> predict(const TokenList& list,
                                  std::string_view as_domain = {}) const;
  /// The list as a sentence that was read. InputError where lists differ in length, or a
  /// span is missing or not in the sentence.
  Sentence sentence(const TokenList& list) const;

  /// Opens a file of sentences, to be given to Worker::read.
  std::unique_ptr<SentenceReader> open(const std::string& path,
                                       const OpenOptions& options = {}) const;
  Worker worker(std::string_view as_domain = {}) const;

 private:
  TaskOptions task_;
};

/// Tags one sentence after another. What is asked is about the sentence read last.
class Tagger::Worker {
 public:
  Worker(const Tagger& tagger, std::uint32_t domain);
  ~Worker();
  Worker(Worker&&) noexcept;

  /// The sentence must live until the next call, or until this is not used any more.
  void read(const Sentence& sentence);
  void read(const Sentence& sentence, std::uint32_t domain);
  /// The same for a model without a task, whose tokens have named features.
  void read(std::span<const NamedFeatures> tokens, std::uint32_t domain);

  std::size_t size() const;  ///< tokens, or 1 for a span
  /// The most probable allowed tags; with a `beam`, only that many tags of a token are
  /// followed.
  TagSequence best(std::size_t beam = 0) const;
  /// The `count` most probable sequences, best first; fewer where there are fewer.
  std::vector<TagSequence> n_best(std::size_t count) const;
  std::vector<double> marginals() const;  ///< P(tag of token t | sentence): [T][Y]
  std::optional<double> general(std::size_t t) const;
  std::vector<Prediction> predict() const;
  /// p(tag | previous tag, x_t): [Y]. kNone is the begin of the sentence, kUnseenTag a tag
  /// that training never saw.
  void probabilities(std::size_t t, std::uint32_t previous, std::span<double> out) const;
  /// Of each token the tag of the best sequence, given the tag before it there; of a span
  /// its label. The parts are about p(tag | previous tag, x) and add up as for rows; the
  /// explanation's own `probabilities` are given the whole sentence. A tag may be less
  /// probable than another one by itself: the tags around it decide too.
  std::vector<Explanation> explain(const ExplainOptions& options = {});
  /// The tokens in the case that a model of recap gives them.
  std::vector<std::string> recased() const;
  std::size_t unseen() const;  ///< features left out so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
