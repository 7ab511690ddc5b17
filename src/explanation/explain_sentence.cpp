#include "dataset/sequence_encoder.hpp"
#include "decoding/decoding.hpp"
#include "features/features.hpp"
#include "megadapt/explanation.hpp"

namespace megadapt {
namespace {

/// Collects, token by token, the names that a vocabulary lacks.
class UnseenNames final : public FeatureSink {
 public:
  explicit UnseenNames(NameIndexView features) : features_(features) {}
  void feature(std::string_view name) override {
    if (features_.find(name) == kNone) names_.emplace_back(name);
  }
  void tag_feature(std::size_t, std::string_view, std::string_view) override {}
  void end_token() override { tokens_.push_back(std::exchange(names_, {})); }

  std::vector<std::vector<std::string>> take() { return std::exchange(tokens_, {}); }

 private:
  NameIndexView features_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> tokens_;
};

TaskOptions task_to_explain(const Model& model) {
  if (model.task_options.empty()) {
    throw UsageError("the model takes ready-made features, not sentences",
                     "explain its rows, or train with a task");
  }
  return task_from_text(model.task_options);
}

}  // namespace

struct SentenceExplainer::Impl {
  Impl(const Model& the_model, std::uint32_t the_domain)
      : model(the_model),
        task(task_to_explain(model)),
        domain(the_domain),
        tokens(model, task, domain),
        transitions(model.labels,
                    task.scheme.empty() ? TagScheme::none : parse_scheme(task.scheme)),
        templates(template_of(task)),
        extractor(templates, task.gazetteers, task.language),
        unseen(model.features) {}

  std::string tag_name(std::uint32_t tag) const {
    return tag == kNone ? std::string(kSentenceStart) : model.labels[tag];
  }

  const Model& model;
  TaskOptions task;
  std::uint32_t domain;
  EncodedSentence tokens;
  TagTransitions transitions;
  FeatureTemplate templates;
  FeatureExtractor extractor;
  UnseenNames unseen;
};

SentenceExplainer::SentenceExplainer(const Model& model, std::uint32_t domain)
    : impl_(std::make_unique<Impl>(model, domain)) {}
SentenceExplainer::~SentenceExplainer() = default;
SentenceExplainer::SentenceExplainer(SentenceExplainer&&) noexcept = default;

std::vector<Explanation> SentenceExplainer::explain(const Sentence& sentence,
                                                    const ExplainOptions& options) {
  Impl& my = *impl_;
  my.tokens.read(sentence);
  my.extractor.extract(sentence, my.unseen);
  auto unseen = my.unseen.take();
  const TagSequence best = best_tags(my.tokens, my.transitions);
  const std::vector<double> marginals = tag_marginals(my.tokens, my.transitions);
  const std::size_t Y = my.model.labels.size();
  std::vector<Explanation> all;
  std::uint32_t previous = kNone;
  for (std::size_t t = 0; t < my.tokens.size(); ++t) {
    ExplainOptions pair = options;
    if (!pair.label) pair.label = best.tags[t];
    all.push_back(megadapt::explain(my.model, my.tokens.row_after(t, previous).view(),
                                    my.domain, pair));
    Explanation& shown = all.back();
    shown.predicted = best.tags[t];
    const auto given_sentence = std::span(marginals).subspan(t * Y, Y);
    shown.probabilities.assign(given_sentence.begin(), given_sentence.end());
    if (!my.task.spans()) shown.previous = my.tag_name(previous);
    shown.unseen = std::move(unseen[t]);
    previous = best.tags[t];
  }
  return all;
}

}  // namespace megadapt
