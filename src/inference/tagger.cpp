#include <fmt/format.h>

#include "dataset/reading/sequence_encoder.hpp"
#include "decoding/decoding.hpp"
#include "features/features.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "sentences/prose_splitter.hpp"
#include "sentences/readers.hpp"

namespace megadapt {
namespace {

/// Collects the feature names of each token that a vocabulary lacks.
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

TaskOptions task_of_model(const Model& model) {
  if (!model.recipe->task) {
    const std::string first = fmt::format("{}={}", kTagFeature, kSentenceStart);
    if (model.features.find(first) != kNone) return {};  // tokens with named features
    throw UsageError("the model takes ready-made features, not sentences",
                     "give it rows, or train with a task");
  }
  return *model.recipe->task;
}

/// Strings stored one after the other in a sentence's bytes. Views are given out once all
/// strings are added.
class SentenceBytes {
 public:
  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }
  void move_into(Sentence& sentence) {
    sentence.decoded.assign(bytes_.begin(), bytes_.end());
  }
  std::vector<std::string_view> take(const Sentence& sentence, std::size_t count) {
    std::vector<std::string_view> views;
    for (; count > 0; --count, ++at_) {
      const std::size_t begin = at_ == 0 ? 0 : ends_[at_ - 1];
      views.emplace_back(sentence.decoded.data() + begin, ends_[at_] - begin);
    }
    return views;
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
  std::size_t at_ = 0;
};

void check_list(const TokenList& list, bool spans) {
  const std::size_t T = list.tokens.size();
  if (T == 0) throw UsageError("the sentence has no words", "give at least one token");
  for (const auto& [name, values] : list.columns) {
    if (values.size() == T) continue;
    throw UsageError(
        fmt::format("\"{}\" has {} entries for {} tokens", name, values.size(), T),
        "give one entry per token; write \"_\" for one that is not known");
  }
  if (!spans) return;
  if (!list.span) throw UsageError("no span is given", "the model labels marked spans");
  const auto [begin, end] = *list.span;
  if (begin < end && end <= T) return;
  throw UsageError(
      fmt::format("the span [{}, {}) is not in the sentence of {} tokens", begin, end, T));
}

bool is_columns(SentenceFormat format) {
  return format == SentenceFormat::conll || format == SentenceFormat::conllu;
}

bool is_guessed(const TaskOptions& task, const OpenOptions& options) {
  return !options.labelled || (is_columns(task.format) && options.columns.empty());
}

// Returns how to read new sentences. Unless an option names the format, a file with tags is
// read like the training data. The format of any other file is guessed, even if the
// training data had columns: running text must not be taken for columns.
SentenceOptions reading_new(const TaskOptions& task, const OpenOptions& options) {
  SentenceOptions reading = reading_for(task, options.labelled);
  const bool given = !options.format.empty();
  const auto format = given                       ? parse_sentence_format(options.format)
                      : is_guessed(task, options) ? SentenceFormat::guess
                                                  : task.format;
  if (!options.columns.empty()) {
    reading.columns = ColumnChoice::parse(options.columns);
  } else {
    reading.columns_of = task.format;
  }
  if (task.spans()) return reading;
  const bool text = format == SentenceFormat::prose || format == SentenceFormat::guess;
  reading.format = reading.recase && !text ? SentenceFormat::text : format;
  return reading;
}

// A text from a program never has columns.
std::string_view text_format(std::string_view text) {
  return sentences::looks_like_prose(text) ? "prose" : "text";
}

}  // namespace

struct Tagger::Worker::Impl {
  Impl(const Tagger& tagger, std::uint32_t its_domain)
      : owner(tagger),
        model(owner.model()),
        domain(its_domain),
        tokens(model),
        transitions(model.labels, model.scheme) {}

  // Needed only by explanations.
  struct Names {
    Names(const Model& model, const TaskOptions& task)
        : templates(template_of(task)),
          extractor(templates, task.gazetteers, task.language),
          unseen(model.features) {}
    FeatureTemplate templates;
    FeatureExtractor extractor;
    UnseenNames unseen;
  };

  std::vector<std::vector<std::string>> unseen_names() {
    if (!sentence) return std::vector<std::vector<std::string>>(tokens.size());
    if (!names) names = std::make_unique<Names>(model, owner.task());
    names->extractor.extract(*sentence, names->unseen);
    return names->unseen.take();
  }
  std::string tag_name(std::uint32_t tag) const {
    return tag == kNone ? std::string(kSentenceStart) : model.labels[tag];
  }

  const Tagger owner;  // keeps the model alive
  const Model& model;
  std::uint32_t domain;
  EncodedSentence tokens;
  TagTransitions transitions;
  const Sentence* sentence = nullptr;
  std::unique_ptr<Names> names;
};

Tagger::Worker::Worker(const Tagger& tagger, std::uint32_t domain)
    : impl_(std::make_unique<Impl>(tagger, domain)) {}
Tagger::Worker::~Worker() = default;
Tagger::Worker::Worker(Worker&&) noexcept = default;

void Tagger::Worker::read(const Sentence& sentence) { read(sentence, impl_->domain); }

void Tagger::Worker::read(const Sentence& sentence, std::uint32_t domain) {
  impl_->domain = domain;
  impl_->sentence = &sentence;
  impl_->tokens.read(sentence, domain);
}

void Tagger::Worker::read(std::span<const NamedFeatures> tokens, std::uint32_t domain) {
  impl_->domain = domain;
  impl_->sentence = nullptr;
  impl_->tokens.read(tokens, domain);
}

std::size_t Tagger::Worker::size() const { return impl_->tokens.size(); }

TagSequence Tagger::Worker::best(std::size_t beam) const {
  return best_tags(impl_->tokens, impl_->transitions, beam);
}

std::vector<TagSequence> Tagger::Worker::n_best(std::size_t count) const {
  return n_best_tags(impl_->tokens, impl_->transitions, count);
}

std::vector<double> Tagger::Worker::marginals() const {
  return tag_marginals(impl_->tokens, impl_->transitions);
}

std::optional<double> Tagger::Worker::general(std::size_t t) const {
  return impl_->tokens.general(t);
}

std::vector<Prediction> Tagger::Worker::predict() const {
  const TagSequence sequence = best();
  const std::vector<double> given_sentence = marginals();
  const std::size_t Y = impl_->model.labels.size();
  std::vector<Prediction> all(size());
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto p = std::span(given_sentence).subspan(t * Y, Y);
    all[t] = {sequence.tags[t], {p.begin(), p.end()}, general(t)};
  }
  return all;
}

void Tagger::Worker::probabilities(std::size_t t, std::uint32_t previous,
                                   std::span<double> out) const {
  impl_->tokens.probabilities(t, {&previous, 1}, out);
}

std::vector<Explanation> Tagger::Worker::explain(const ExplainOptions& options) {
  Impl& my = *impl_;
  auto unseen = my.unseen_names();
  std::vector<Prediction> predicted = predict();
  std::vector<Explanation> all;
  std::uint32_t previous = kNone;
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    ExplainOptions pair = options;
    if (!pair.label) pair.label = predicted[t].label;
    all.push_back(megadapt::explain(my.model, my.tokens.row_after(t, previous).view(),
                                    my.domain, pair));
    Explanation& shown = all.back();
    shown.predicted = predicted[t].label;
    shown.probabilities = std::move(predicted[t].probabilities);
    if (!my.owner.task().spans()) shown.previous = my.tag_name(previous);
    shown.unseen = std::move(unseen[t]);
    previous = shown.predicted;
  }
  return all;
}

std::vector<std::string> Tagger::Worker::recased() const {
  const TagSequence sequence = best();
  std::vector<std::string> words;
  for (std::size_t t = 0; t < sequence.tags.size(); ++t) {
    words.push_back(recase(impl_->sentence->tokens[t],
                           impl_->model.labels[sequence.tags[t]],
                           impl_->model.recipe->mixed_forms));
  }
  return words;
}

std::size_t Tagger::Worker::unseen() const { return impl_->tokens.unseen(); }

Tagger::Tagger(std::shared_ptr<const Model> model)
    : LoadedModel(std::move(model)), task_(task_of_model(*model_)) {}

Tagger Tagger::load(const std::string& path, bool verify) {
  return Tagger(load_model(path, verify));
}

Tagger::Worker Tagger::worker(std::string_view as_domain) const {
  return Worker(*this, domain_of(as_domain));
}

std::vector<Prediction> Tagger::predict(const TokenList& list,
                                        std::string_view as_domain) const {
  const Sentence read = sentence(list);
  Worker own = worker(as_domain);
  own.read(read);
  return own.predict();
}

Sentence Tagger::sentence(const TokenList& list) const {
  check_list(list, task_.spans());
  const std::size_t T = list.tokens.size();
  const bool recase = reading_for(task_, false).recase;
  const std::vector<std::string> names = task_.columns.extra_names();
  const auto given = [&](const std::string& name) { return list.columns.find(name); };
  SentenceBytes bytes;
  for (const std::string& form : list.tokens) bytes.add(form);
  for (const std::string& form : list.tokens) bytes.add(recase ? lower_case(form) : form);
  for (const std::string& name : names) {
    if (given(name) == list.columns.end()) continue;
    for (const std::string& value : given(name)->second) {
      bytes.add(value == "_" ? "" : value);
    }
  }
  Sentence out;
  bytes.move_into(out);
  out.forms = bytes.take(out, T);
  out.tokens = bytes.take(out, T);
  for (const std::string& name : names) {
    out.columns.push_back(given(name) == list.columns.end()
                              ? std::vector<std::string_view>(T)
                              : bytes.take(out, T));
  }
  out.is_span = task_.spans();
  if (out.is_span) std::tie(out.span_begin, out.span_end) = *list.span;
  return out;
}

std::unique_ptr<SentenceReader> Tagger::open(const std::string& path,
                                             const OpenOptions& options) const {
  SentenceOptions reading = reading_new(task_, options);
  reading.skip_bad = options.skip_bad;
  reading.digest = options.digest;
  reading.stop = options.stop;
  return open_sentences(path, reading);
}

std::unique_ptr<SentenceReader> Tagger::open_text(std::string_view text,
                                                  std::string_view format) const {
  if (task_.spans()) {
    throw UsageError("the model labels marked spans, not the tokens of a text",
                     "give the tokens and the span");
  }
  return sentences::open_sentences(
      corpus::open_bytes(text), "the text",
      reading_new(task_,
                  {.format = std::string(format.empty() ? text_format(text) : format)}));
}

}  // namespace megadapt
