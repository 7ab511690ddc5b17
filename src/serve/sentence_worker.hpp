#pragma once

#include <map>

#include "decoding/decoding.hpp"
#include "explanation/prediction_json.hpp"
#include "megadapt/explanation.hpp"
#include "serve/json_request.hpp"

namespace megadapt::serve {

/// Answers rows that are sentences, for a model of a task: {"tokens": [...]} with an answer
/// for each token, or of a marked span its answer alone. One per thread.
class SentenceWorker {
 public:
  /// Both must outlive this.
  SentenceWorker(const Model& model, const TaskOptions& task);

  /// Reads the row; throws Refusal. Returns how many answers it makes.
  std::size_t read(const RequestRow& row);
  void predict(std::uint32_t domain, const PredictionJson& json, std::string& out);
  void explain(std::uint32_t domain, const ExplainOptions& pair, std::size_t top,
               std::string& out);

 private:
  EncodedSentence& encoded(std::uint32_t domain);
  SentenceExplainer& explainer(std::uint32_t domain);
  /// Joins one object per row of the sentence, each with its token.
  void write(const std::vector<std::string>& objects, std::string& out) const;

  const Model& model_;
  const TaskOptions& task_;
  TagTransitions transitions_;
  Sentence sentence_;
  std::string id_;
  std::map<std::uint32_t, EncodedSentence> encoded_;
  std::map<std::uint32_t, SentenceExplainer> explainers_;
};

}  // namespace megadapt::serve
