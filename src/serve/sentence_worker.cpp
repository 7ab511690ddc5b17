#include "serve/sentence_worker.hpp"

#include "decoding/decoding.hpp"
#include "serve/responses.hpp"
#include "serve/sentence_request.hpp"

namespace megadapt::serve {

SentenceWorker::SentenceWorker(const Model& model, const TaskOptions& task)
    : model_(model),
      task_(task),
      transitions_(model.labels,
                   task.scheme.empty() ? TagScheme::none : parse_scheme(task.scheme)) {}

std::size_t SentenceWorker::read(const RequestRow& row) {
  to_sentence(row, task_, sentence_);
  id_ = row.id;
  return sentence_.is_span ? 1 : sentence_.size();
}

EncodedSentence& SentenceWorker::encoded(std::uint32_t domain) {
  return encoded_.try_emplace(domain, model_, task_, domain).first->second;
}

SentenceExplainer& SentenceWorker::explainer(std::uint32_t domain) {
  return explainers_.try_emplace(domain, model_, domain).first->second;
}

void SentenceWorker::predict(std::uint32_t domain, const PredictionJson& json,
                             std::string& out) {
  EncodedSentence& rows = encoded(domain);
  rows.read(sentence_);
  const TagSequence best = best_tags(rows, transitions_);
  const std::vector<double> marginals = tag_marginals(rows, transitions_);
  const std::size_t Y = model_.labels.size();
  std::vector<std::string> objects(rows.size());
  for (std::size_t t = 0; t < rows.size(); ++t) {
    json.append(best.tags[t], std::span(marginals).subspan(t * Y, Y), rows.general(t), "",
                objects[t]);
  }
  write(objects, out);
}

void SentenceWorker::explain(std::uint32_t domain, const ExplainOptions& pair,
                             std::size_t top, std::string& out) {
  std::vector<std::string> objects;
  for (Explanation& shown : explainer(domain).explain(sentence_, pair)) {
    if (top > 0) keep_strongest(shown, top);
    objects.push_back(to_json(shown));
  }
  write(objects, out);
}

void SentenceWorker::write(const std::vector<std::string>& objects,
                           std::string& out) const {
  if (sentence_.is_span) {
    out += with_field("id", id_, objects.at(0));
    return;
  }
  std::string list = "{\"tokens\":[";
  for (std::size_t t = 0; t < objects.size(); ++t) {
    if (t > 0) list += ',';
    list += with_field("token", sentence_.forms[t], objects[t]);
  }
  out += with_field("id", id_, list + "]}");
}

}  // namespace megadapt::serve
