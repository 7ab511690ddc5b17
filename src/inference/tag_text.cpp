// Tags the sentences of a text, or restores their case. The text keeps its own spaces.

#include <fmt/format.h>

#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"

namespace megadapt {

std::vector<PredictedSentence> Tagger::predict_text(std::string_view text,
                                                    std::string_view as_domain,
                                                    std::string_view format) const {
  const auto reader = open_text(text, format);
  Worker own = worker(as_domain);
  std::vector<PredictedSentence> all;
  Sentence sentence;
  while (reader->next(sentence)) {
    own.read(sentence);
    all.push_back({.tokens = {sentence.forms.begin(), sentence.forms.end()},
                   .spaces = spaces_of(sentence),
                   .predictions = own.predict()});
  }
  if (!all.empty()) all.back().spaces.back() += sentence.raw;
  return all;
}

std::string Tagger::recase_text(std::string_view text, std::string_view as_domain,
                                std::string_view format) const {
  if (task_.task != "recap") {
    throw UsageError(
        fmt::format("the model was trained for the task '{}', not recap", task_.task),
        "train with --task recap");
  }
  const auto reader = open_text(text, format);
  Worker own = worker(as_domain);
  std::string out;
  Sentence sentence;
  while (reader->next(sentence)) {
    own.read(sentence);
    append_replaced(sentence, own.recased(), out);
  }
  return out += sentence.raw;
}

}  // namespace megadapt
