#pragma once

#include <memory>
#include <vector>

#include "megadapt/explanation.hpp"
#include "megadapt/sentences.hpp"

namespace megadapt {

/// Explains what a model of a task says of sentences: of each token the tag of the best
/// sequence, given the tag before it in that sequence; of a marked span its label.
///
///     SentenceExplainer explainer(model, model.target());
///     for (Sentence sentence; reader->next(sentence);)
///       for (const Explanation& why : explainer.explain(sentence)) use(why);
///
/// The parts of an Explanation are about p(tag | previous tag, x), a maximum entropy model
/// whose features include the previous tag, so they add up as for single rows; its own
/// `probabilities` are given the whole sentence, as `predict` says them. A tag may be less
/// probable than another one by itself: the tags around it decide too. Not for several
/// threads at once.
class SentenceExplainer {
 public:
  /// `model` must outlive this. UsageError unless it has a task.
  SentenceExplainer(const Model& model, std::uint32_t domain);
  ~SentenceExplainer();
  SentenceExplainer(SentenceExplainer&&) noexcept;

  std::vector<Explanation> explain(const Sentence& sentence,
                                   const ExplainOptions& options = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
