#pragma once

#include "inference/prediction_lines.hpp"
#include "megadapt/classifier.hpp"
#include "serve/json_request.hpp"

namespace megadapt::serve {

/// Answers rows that are sentences, for task models: {"tokens": [...]} with an answer for
/// each token, or one answer for a marked span. The answer to a text also has "sentences",
/// the first token of each, and "spaces". Each thread needs its own.
class SentenceWorker {
 public:
  /// `tagger` must outlive the worker.
  explicit SentenceWorker(const Tagger& tagger);

  /// Reads the row and returns its number of answers. Throws Refusal.
  std::size_t read(const RequestRow& row);
  void predict(const PredictionJson& json, std::string& out);
  void explain(const ExplainOptions& pair, std::size_t top, std::string& out);

 private:
  /// Calls answer() for each sentence once the worker has read it.
  template <class Answer>
  void for_each_sentence(Answer answer);
  /// Joins the objects of the row's tokens, each with its token.
  void write(const std::vector<std::string>& objects, std::string& out) const;

  const Tagger& tagger_;
  Tagger::Worker worker_;
  RowSentences row_;
  std::uint32_t domain_ = 0;
  std::string id_;
};

}  // namespace megadapt::serve
