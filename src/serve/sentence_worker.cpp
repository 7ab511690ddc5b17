#include "serve/sentence_worker.hpp"

#include "base/json.hpp"
#include "serve/responses.hpp"

namespace megadapt::serve {

SentenceWorker::SentenceWorker(const Tagger& tagger)
    : tagger_(tagger), worker_(tagger.worker()) {}

std::size_t SentenceWorker::read(const RequestRow& row) {
  row_ = to_sentences(row, tagger_);
  id_ = row.id;
  domain_ = tagger_.domain_of_row(row.domain, tagger_.model().target());
  std::size_t answers = 0;
  for (const Sentence& sentence : row_.sentences) {
    answers += sentence.is_span ? 1 : sentence.size();
  }
  return answers;
}

template <class Answer>
void SentenceWorker::for_each_sentence(Answer answer) {
  for (const Sentence& sentence : row_.sentences) {
    worker_.read(sentence, domain_);
    answer();
  }
}

void SentenceWorker::predict(const PredictionJson& json, std::string& out) {
  std::vector<std::string> objects;
  for_each_sentence([&] {
    for (const Prediction& token : worker_.predict()) {
      json.append(token.label, token.probabilities, token.general, "",
                  objects.emplace_back());
    }
  });
  write(objects, out);
}

void SentenceWorker::explain(const ExplainOptions& pair, std::size_t top,
                             std::string& out) {
  std::vector<std::string> objects;
  for_each_sentence([&] {
    for (Explanation& shown : worker_.explain(pair)) {
      if (top > 0) keep_strongest(shown, top);
      objects.push_back(to_json(shown));
    }
  });
  write(objects, out);
}

void SentenceWorker::write(const std::vector<std::string>& objects,
                           std::string& out) const {
  if (row_.sentences.front().is_span) {
    out += with_field("id", id_, objects.at(0));
    return;
  }
  std::string list = "{\"tokens\":[";
  std::vector<std::size_t> begin;
  std::size_t t = 0;
  for (const Sentence& sentence : row_.sentences) {
    begin.push_back(t);
    for (const std::string_view form : sentence.forms) {
      if (t > 0) list += ',';
      list += with_field("token", std::string(form), objects[t++]);
    }
  }
  list += ']';
  if (!row_.spaces.empty()) {
    list += ",\"sentences\":" + json_text(nlohmann::json(begin)) +
            ",\"spaces\":" + json_text(nlohmann::json(row_.spaces));
  }
  out += with_field("id", id_, list + "}");
}

}  // namespace megadapt::serve
