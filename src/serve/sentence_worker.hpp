#pragma once

#include "inference/prediction_lines.hpp"
#include "megadapt/classifier.hpp"
#include "serve/json_request.hpp"

namespace megadapt::serve {

/// Answers rows that are sentences, for a model of a task: {"tokens": [...]} with an answer
/// for each token, or of a marked span its answer alone. One per thread.
class SentenceWorker {
 public:
  /// `tagger` must outlive this.
  explicit SentenceWorker(const Tagger& tagger);

  /// Reads the row; throws Refusal. Returns how many answers it makes.
  std::size_t read(const RequestRow& row);
  void predict(const PredictionJson& json, std::string& out);
  void explain(const ExplainOptions& pair, std::size_t top, std::string& out);

 private:
  /// Joins one object per row of the sentence, each with its token.
  void write(const std::vector<std::string>& objects, std::string& out) const;

  const Tagger& tagger_;
  Tagger::Worker worker_;
  Sentence sentence_;
  std::string id_;
};

}  // namespace megadapt::serve
