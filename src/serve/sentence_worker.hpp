#pragma once

#include "inference/prediction_lines.hpp"
#include "megadapt/classifier.hpp"
#include "serve/json_request.hpp"

namespace megadapt::serve {

/// Answers rows that are sentences, for task models: {"tokens": [...]} with an answer for
/// each token, or for a marked span one answer. Each thread needs its own.
class SentenceWorker {
 public:
  /// `tagger` must outlive the worker.
  explicit SentenceWorker(const Tagger& tagger);

  /// Reads the row and returns its number of answers. Throws Refusal.
  std::size_t read(const RequestRow& row);
  void predict(const PredictionJson& json, std::string& out);
  void explain(const ExplainOptions& pair, std::size_t top, std::string& out);

 private:
  /// Joins the objects of the sentence's rows, each with its token.
  void write(const std::vector<std::string>& objects, std::string& out) const;

  const Tagger& tagger_;
  Tagger::Worker worker_;
  Sentence sentence_;
  std::string id_;
};

}  // namespace megadapt::serve
