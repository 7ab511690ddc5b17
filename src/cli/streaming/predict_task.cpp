#include "cli/streaming/predict_task.hpp"

#include "cli/options/task_arguments.hpp"
#include "cli/streaming/row_predictor.hpp"
#include "cli/streaming/sentence_pipeline.hpp"
#include "decoding/decoding.hpp"

namespace megadapt::cli {

void predict_task(const Model& model, const TaskInput& input, const Execution& exec,
                  const std::function<void(const TaskRow&, std::string&)>& write,
                  const std::function<void(const std::string&)>& flush,
                  const std::function<void()>& paused) {
  const TaskOptions task = task_of(model, "predict");
  const auto reader =
      open_sentences(input.path, reading_for(task, input.format, "", input.labelled));
  SentencePipeline pipeline(*reader, input.path, exec);
  const TagTransitions transitions(
      model.labels, task.scheme.empty() ? TagScheme::none : parse_scheme(task.scheme));
  std::vector<EncodedSentence> encoded;
  for (std::size_t slot = 0; slot < pipeline.slots(); ++slot) {
    encoded.emplace_back(model, task, fallback_domain(model, input.as_domain));
  }
  std::vector<std::string> lines(pipeline.slots());
  pipeline.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        EncodedSentence& rows = encoded[slot];
        lines[slot].clear();
        for (const Sentence& sentence : sentences) {
          rows.read(sentence);
          const TagSequence best = best_tags(rows, transitions);
          const auto marginals = tag_marginals(rows, transitions);
          const std::size_t Y = model.labels.size();
          for (std::size_t t = 0; t < rows.size(); ++t) {
            write({best.tags[t], std::span(marginals).subspan(t * Y, Y), rows.general(t),
                   sentence.id},
                  lines[slot]);
          }
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) { flush(lines[slot]); }, paused);
}

}  // namespace megadapt::cli
