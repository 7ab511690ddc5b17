#include "serve/sentence_worker.hpp"

#include "serve/responses.hpp"

namespace megadapt::serve {

SentenceWorker::SentenceWorker(const Tagger& tagger)
    : tagger_(tagger), worker_(tagger.worker()) {}

std::size_t SentenceWorker::read(const RequestRow& row) {
  sentence_ = to_sentence(row, tagger_);
  id_ = row.id;
  worker_.read(sentence_, tagger_.domain_of(row.domain));
  return worker_.size();
}

void SentenceWorker::predict(const PredictionJson& json, std::string& out) {
  std::vector<std::string> objects;
  for (const Prediction& token : worker_.predict()) {
    json.append(token.label, token.probabilities, token.general, "",
                objects.emplace_back());
  }
  write(objects, out);
}

void SentenceWorker::explain(const ExplainOptions& pair, std::size_t top,
                             std::string& out) {
  std::vector<std::string> objects;
  for (Explanation& shown : worker_.explain(pair)) {
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
