// Tagging: token features from Python or from a template, and Viterbi decoding with any
// system.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "dataset/reading/tagged_builder.hpp"
#include "dataset/reading/untagged_rows.hpp"
#include "dataset/recipe_options.hpp"
#include "features/features.hpp"
#include "inference/span_confidence.hpp"
#include "megadapt/classifier.hpp"
#include "megadapt/error.hpp"
#include "megadapt/systems.hpp"
#include "runner.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

/// Sentences from Python: plain tokens for a template, or tokens that are features.
struct TaggerSentences {
  std::vector<std::vector<std::string>> plain = {};
  std::vector<std::vector<NamedFeatures>> named = {};

  std::size_t size() const { return plain.empty() ? named.size() : plain.size(); }
  bool is_empty(std::size_t s) const {
    return plain.empty() ? named[s].empty() : plain[s].empty();
  }
};

/// `features` is the name of a built-in set, the text of a template, or "" for neither.
std::optional<TaskOptions> task_of(const std::string& features, const std::string& language,
                                   const WordClasses& classes = {}) {
  if (features.empty()) return std::nullopt;
  TaskOptions task{.features = features, .language = language, .classes = classes};
  const auto sets = task_names();
  if (std::find(sets.begin(), sets.end(), features) != sets.end()) {
    task.task = features;
    task.features = builtin_features(features, classes);
  }
  return task;
}

void refuse_other_input(const TaskOptions& task) {
  const bool recase = reading_for(task, true).recase;
  if (!task.spans() && !recase) return;
  throw UsageError(fmt::format("'{}' is a set for {}, not for tagged tokens", task.task,
                               recase ? "text that has its case" : "marked spans"),
                   "name another set, such as 'mention', or give a template");
}

void read(const std::vector<std::string>& tokens, Sentence& sentence) {
  sentence.tokens.assign(tokens.begin(), tokens.end());
  sentence.forms = sentence.tokens;
}

/// Returns the same rows as the command line makes of these sentences.
Dataset tagged_rows(const TaggerSentences& sentences,
                    const std::vector<std::vector<std::string>>& tags,
                    const std::vector<std::uint32_t>& domain,
                    const std::vector<std::string>& domains, Recipe recipe,
                    const std::string& scheme) {
  Dataset data;
  for (const std::string& name : domains) data.own_schema().domains.add(name);
  TaggedBuilder builder(data, recipe);
  std::vector<std::size_t> count(domains.size());
  Sentence sentence;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const std::uint32_t d = domain[s];
    const std::uint32_t group = builder.group_of_run(domains[d], count[d]++);
    if (!recipe.task) {
      builder.add(sentences.named[s], tags[s], d, group);
      continue;
    }
    read(sentences.plain[s], sentence);
    sentence.tags.assign(tags[s].begin(), tags[s].end());
    builder.add(sentence, d, group);
  }
  builder.finish(scheme);
  if (recipe.task) {
    recipe.task->scheme = scheme_name(data.schema->scheme);
    recipe.task->tokens = builder.token_rules();
  }
  data.recipe = std::make_shared<Recipe>(std::move(recipe));
  return data;
}

/// Returns sentences of the target whose tags are not known.
std::shared_ptr<const Dataset> untagged_rows(const TaggerSentences& sentences,
                                             const Dataset& train, std::uint32_t target) {
  UntaggedRows rows(train, target);
  Sentence sentence;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    if (!train.recipe->task) {
      rows.add(sentences.named[s]);
      continue;
    }
    read(sentences.plain[s], sentence);
    rows.add(sentence);
  }
  return std::make_shared<Dataset>(rows.finish());
}

std::shared_ptr<Model> fit_tagger(const TaggerSentences& sentences,
                                  const std::string& features, const std::string& language,
                                  const std::string& scheme, const Settings& words,
                                  const std::vector<std::vector<std::string>>& tags,
                                  const std::vector<std::uint32_t>& domain,
                                  const std::vector<std::string>& domains,
                                  const std::string& system, const std::string& target,
                                  const Settings& settings, std::uint64_t seed,
                                  Settings recorded, const TaggerSentences* unlabelled,
                                  int threads, const py::object& progress) {
  RecipeOptions reading;
  for (const auto& [name, value] : words) recipe_table().set(reading, name, value);
  for (const auto& option : words) recorded.push_back(option);
  const std::optional<TaskOptions> task =
      task_of(features, language, word_classes_for(reading, threads));
  if (task) refuse_other_input(*task);
  Dataset data = tagged_rows(sentences, tags, domain, domains, {.task = task}, scheme);
  if (const std::uint32_t id = data.domains().find(target); id != kNone) {
    warn(data_warnings(data, id), 2);
    if (unlabelled) data.unlabelled = untagged_rows(*unlabelled, data, id);
  }
  const Options options = options_for(system, settings, seed);
  std::optional<Model> model;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    FitContext context{.exec = exec};
    if (!progress.is_none()) context.on_progress = on_progress;
    model = train_model(data, system, target, options, std::move(recorded), context);
  });
  return std::make_shared<Model>(std::move(*model));
}

/// A tagger pickled by version 0.1 does not record how its tokens are read. Takes that from
/// its parameters.
void complete(Model& model, const std::string& features, const std::string& language,
              const std::string& scheme) {
  if (!model.recipe->task && !features.empty()) {
    Recipe recipe = *model.recipe;
    recipe.task = task_of(features, language);
    recipe.task->scheme = scheme_name(model.scheme);
    model.recipe = std::make_shared<Recipe>(std::move(recipe));
  }
  if (!scheme.empty()) model.scheme = parse_scheme(scheme);
}

/// Calls body(worker, s) for every sentence that is not empty, in parallel.
template <class Body>
void for_each_sentence(const std::shared_ptr<Model>& model,
                       const TaggerSentences& sentences,
                       const std::vector<std::uint32_t>& domain, int threads, Body body) {
  const Tagger tagger(model);
  if (sentences.size() > 0 && tagger.has_task() == sentences.plain.empty()) {
    throw UsageError("the tokens are not of the kind that the model was trained on",
                     "leave features= as it was in fit, or fit again");
  }
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) {
    exec.parallel_for(sentences.size(), 64, [&](std::size_t first, std::size_t last) {
      exec.throw_if_stopped();
      Tagger::Worker worker = tagger.worker();
      for (std::size_t s = first; s < last; ++s) {
        if (sentences.is_empty(s)) continue;
        Sentence sentence;
        if (tagger.has_task()) {
          sentence = tagger.sentence({.tokens = sentences.plain[s]});
          worker.read(sentence, domain[s]);
        } else {
          worker.read(sentences.named[s], domain[s]);
        }
        body(worker, s);
      }
    });
  });
}

std::vector<std::vector<std::string>> tag(const std::shared_ptr<Model>& model,
                                          const TaggerSentences& sentences,
                                          const std::vector<std::uint32_t>& domain,
                                          int threads) {
  std::vector<std::vector<std::string>> tags(sentences.size());
  for_each_sentence(model, sentences, domain, threads,
                    [&](const Tagger::Worker& worker, std::size_t s) {
                      for (const std::uint32_t id : worker.best().tags) {
                        tags[s].push_back(model->labels[id]);
                      }
                    });
  return tags;
}

std::vector<std::vector<double>> marginals(const std::shared_ptr<Model>& model,
                                           const TaggerSentences& sentences,
                                           const std::vector<std::uint32_t>& domain,
                                           int threads) {
  std::vector<std::vector<double>> all(sentences.size());
  for_each_sentence(
      model, sentences, domain, threads,
      [&](const Tagger::Worker& worker, std::size_t s) { all[s] = worker.marginals(); });
  return all;
}

using Spans = std::vector<std::tuple<std::size_t, std::size_t, std::string, double>>;

// Returns begin, end, type and probability of the spans of each sentence.
std::vector<Spans> spans(const std::shared_ptr<Model>& model,
                         const TaggerSentences& sentences,
                         const std::vector<std::uint32_t>& domain, int threads) {
  std::vector<Spans> all(sentences.size());
  for_each_sentence(
      model, sentences, domain, threads, [&](const Tagger::Worker& worker, std::size_t s) {
        for (const ConfidentSpan& span :
             span_confidence(worker, model->labels, worker.best())) {
          all[s].emplace_back(span.begin, span.end, span.type, span.probability);
        }
      });
  return all;
}

using SentenceParts = std::tuple<std::vector<std::string>, std::vector<std::string>,
                                 std::vector<std::string>>;

/// Returns tokens, tags and spaces of each sentence of a text.
std::vector<SentenceParts> tag_text(const std::shared_ptr<Model>& model,
                                    const std::string& text, const std::string& domain,
                                    const std::string& format) {
  const py::gil_scoped_release released;
  const Tagger tagger(model);
  std::vector<SentenceParts> all;
  for (PredictedSentence& sentence : tagger.predict_text(text, domain, format)) {
    std::vector<std::string> tags;
    for (const Prediction& token : sentence.predictions) {
      tags.push_back(model->labels[token.label]);
    }
    all.emplace_back(std::move(sentence.tokens), std::move(tags),
                     std::move(sentence.spaces));
  }
  return all;
}

/// Returns the tokens of each sentence of a text.
std::vector<std::vector<std::string>> split_text(const std::shared_ptr<Model>& model,
                                                 const std::string& text) {
  const Tagger tagger(model);
  const auto reader = tagger.open_text(text);
  std::vector<std::vector<std::string>> all;
  for (Sentence sentence; reader->next(sentence);) {
    all.emplace_back(sentence.forms.begin(), sentence.forms.end());
  }
  return all;
}

std::string recase_text(const std::shared_ptr<Model>& model, const std::string& text,
                        const std::string& domain, const std::string& format) {
  const py::gil_scoped_release released;
  return Tagger(model).recase_text(text, domain, format);
}

}  // namespace

void bind_tagger(py::module_& module) {
  py::class_<TaggerSentences>(module, "TaggerSentences")
      .def("__len__", &TaggerSentences::size);
  module.def(
      "plain_sentences",
      [](std::vector<std::vector<std::string>> sentences) {
        return TaggerSentences{.plain = std::move(sentences)};
      },
      py::arg("sentences"));
  module.def(
      "named_sentences",
      [](std::vector<std::vector<NamedFeatures>> sentences) {
        return TaggerSentences{.named = std::move(sentences)};
      },
      py::arg("sentences"));
  module.def("fit_tagger", &fit_tagger, py::arg("sentences"), py::kw_only(),
             py::arg("features"), py::arg("language"), py::arg("scheme"), py::arg("words"),
             py::arg("tags"), py::arg("domain"), py::arg("domains"), py::arg("system"),
             py::arg("target"), py::arg("settings"), py::arg("seed"), py::arg("recorded"),
             py::arg("unlabelled") = nullptr, py::arg("threads"),
             py::arg("progress") = py::none());
  module.def("complete_tagger", &complete, py::arg("model"), py::kw_only(),
             py::arg("features"), py::arg("language"), py::arg("scheme"));
  module.def("tag", &tag, py::arg("model"), py::arg("sentences"), py::kw_only(),
             py::arg("domain"), py::arg("threads"));
  module.def("tag_text", &tag_text, py::arg("model"), py::arg("text"), py::kw_only(),
             py::arg("domain"), py::arg("format"));
  module.def("split_text", &split_text, py::arg("model"), py::arg("text"));
  module.def("recase_text", &recase_text, py::arg("model"), py::arg("text"), py::kw_only(),
             py::arg("domain"), py::arg("format"));
  module.def("tag_marginals", &marginals, py::arg("model"), py::arg("sentences"),
             py::kw_only(), py::arg("domain"), py::arg("threads"));
  module.def("tag_spans", &spans, py::arg("model"), py::arg("sentences"), py::kw_only(),
             py::arg("domain"), py::arg("threads"));
}

}  // namespace megadapt::python
