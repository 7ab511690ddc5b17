// Tagging sentences: features of tokens from Python or from a template, Viterbi over any
// system.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "dataset/tagged_builder.hpp"
#include "decoding/decoding.hpp"
#include "features/features.hpp"
#include "megadapt/systems.hpp"
#include "runner.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

/// Sentences as Python gives them: tokens for a template, or tokens that are features.
struct TaggerSentences {
  std::vector<std::vector<std::string>> plain = {};
  std::vector<std::vector<NamedToken>> named = {};

  std::size_t size() const { return plain.empty() ? named.size() : plain.size(); }
};

using NamedValues = std::pair<std::vector<std::string>, std::vector<float>>;

TaggerSentences named_sentences(const std::vector<std::vector<NamedValues>>& sentences) {
  TaggerSentences all;
  for (const auto& tokens : sentences) {
    auto& sentence = all.named.emplace_back();
    for (const auto& [names, values] : tokens) sentence.push_back({names, values});
  }
  return all;
}

/// `features` is the name of a built-in set or the text of a template; "": there is none.
std::optional<TaskOptions> task_of(const std::string& features,
                                   const std::string& language) {
  if (features.empty()) return std::nullopt;
  TaskOptions task{.features = features, .language = language};
  const auto sets = task_names();
  if (std::find(sets.begin(), sets.end(), features) != sets.end()) {
    task.task = features;
    task.features = builtin_features(features);
  }
  if (task.spans()) {
    throw UsageError(
        fmt::format("'{}' is a set for marked spans, not for tokens", features),
        "name another set, such as 'mention', or give a template");
  }
  return task;
}

void read(const std::vector<std::string>& tokens, Sentence& sentence) {
  sentence.tokens.assign(tokens.begin(), tokens.end());
  sentence.forms = sentence.tokens;
}

/// The rows that the command line makes of the same sentences.
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
  if (recipe.task) recipe.task->scheme = scheme_name(data.schema->scheme);
  data.recipe = std::make_shared<Recipe>(std::move(recipe));
  return data;
}

std::shared_ptr<Model> fit_tagger(const TaggerSentences& sentences,
                                  const std::string& features, const std::string& language,
                                  const std::string& scheme,
                                  const std::vector<std::vector<std::string>>& tags,
                                  const std::vector<std::uint32_t>& domain,
                                  const std::vector<std::string>& domains,
                                  const std::string& system, const std::string& target,
                                  const Settings& settings, std::uint64_t seed, int threads,
                                  const py::object& progress) {
  Dataset data = tagged_rows(sentences, tags, domain, domains,
                             {.task = task_of(features, language)}, scheme);
  Options options;
  set_options(options, settings);
  options.seed = seed;
  std::optional<Model> model;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    FitContext context{.exec = exec};
    if (!progress.is_none()) context.on_progress = on_progress;
    model = train_model(std::move(data), system, target, options, {}, context);
  });
  return std::make_shared<Model>(std::move(*model));
}

/// One sentence of named features under a trained model.
class NamedSentence final : public LocalModel {
 public:
  NamedSentence(const Model& model, const std::vector<NamedToken>& sentence,
                std::uint32_t domain)
      : model_(model), domain_(domain) {
    for (const NamedToken& token : sentence) tokens_.push_back(encode(token));
    for (const std::string& tag : model_.labels) after_.push_back(find_after(tag));
    after_.push_back(find_after(kSentenceStart));
  }

  std::size_t size() const override { return tokens_.size(); }
  std::uint32_t num_tags() const override { return model_.predictor->num_labels(); }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override {
    const std::span<const std::uint32_t> after = after_;
    predict_after(*model_.predictor, tokens_[t].view(), {&after, 1}, domain_, previous,
                  probability);
  }

 private:
  TokenRow encode(const NamedToken& features) const {
    TokenRow token;
    const auto add = [&](std::string_view name, float value) {
      const std::uint32_t id = model_.features.find(name);
      if (id == kNone || std::find(token.features.begin(), token.features.end(), id) !=
                             token.features.end())
        return;
      token.features.push_back(id);
      if (!features.values.empty()) token.values.push_back(value);
    };
    for (std::size_t i = 0; i < features.names.size(); ++i) {
      add(features.names[i], features.values.empty() ? 1 : features.values[i]);
    }
    add("", 1);
    return token;
  }

  std::uint32_t find_after(std::string_view tag) const {
    return model_.features.find(fmt::format("{}={}", kTagFeature, tag));
  }

  const Model& model_;
  std::uint32_t domain_;
  std::vector<TokenRow> tokens_;
  std::vector<std::uint32_t> after_;  // [tags + 1]; the feature of the tag before
};

/// Calls body(sentence, transitions, s) for every sentence, side by side.
template <class Body>
void for_each_sentence(const Model& model, const TaggerSentences& sentences,
                       const std::string& features, const std::string& language,
                       const std::vector<std::uint32_t>& domain, const std::string& scheme,
                       int threads, Body body) {
  const std::optional<TaskOptions> task = task_of(features, language);
  const TagTransitions allowed(model.labels,
                               scheme.empty() ? model.scheme : parse_scheme(scheme));
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) {
    exec.parallel_for(sentences.size(), 64, [&](std::size_t first, std::size_t last) {
      exec.throw_if_stopped();
      std::optional<EncodedSentence> encoded;
      if (task) encoded.emplace(model, *task);
      Sentence sentence;
      for (std::size_t s = first; s < last; ++s) {
        if (!task) {
          body(NamedSentence(model, sentences.named[s], domain[s]), allowed, s);
          continue;
        }
        read(sentences.plain[s], sentence);
        encoded->read(sentence, domain[s]);
        body(*encoded, allowed, s);
      }
    });
  });
}

std::vector<std::vector<std::string>> tag(const Model& model,
                                          const TaggerSentences& sentences,
                                          const std::string& features,
                                          const std::string& language,
                                          const std::vector<std::uint32_t>& domain,
                                          const std::string& scheme, int threads) {
  std::vector<std::vector<std::string>> tags(sentences.size());
  for_each_sentence(
      model, sentences, features, language, domain, scheme, threads,
      [&](const LocalModel& sentence, const TagTransitions& allowed, std::size_t s) {
        for (const std::uint32_t id : best_tags(sentence, allowed).tags) {
          tags[s].push_back(model.labels[id]);
        }
      });
  return tags;
}

std::vector<std::vector<double>> marginals(const Model& model,
                                           const TaggerSentences& sentences,
                                           const std::string& features,
                                           const std::string& language,
                                           const std::vector<std::uint32_t>& domain,
                                           const std::string& scheme, int threads) {
  std::vector<std::vector<double>> all(sentences.size());
  for_each_sentence(model, sentences, features, language, domain, scheme, threads,
                    [&](const LocalModel& sentence, const TagTransitions& allowed,
                        std::size_t s) { all[s] = tag_marginals(sentence, allowed); });
  return all;
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
  module.def("named_sentences", &named_sentences, py::arg("sentences"));
  module.def("fit_tagger", &fit_tagger, py::arg("sentences"), py::kw_only(),
             py::arg("features"), py::arg("language"), py::arg("scheme"), py::arg("tags"),
             py::arg("domain"), py::arg("domains"), py::arg("system"), py::arg("target"),
             py::arg("settings"), py::arg("seed"), py::arg("threads"),
             py::arg("progress") = py::none());
  module.def("tag", &tag, py::arg("model"), py::arg("sentences"), py::kw_only(),
             py::arg("features"), py::arg("language"), py::arg("domain"), py::arg("scheme"),
             py::arg("threads"));
  module.def("tag_marginals", &marginals, py::arg("model"), py::arg("sentences"),
             py::kw_only(), py::arg("features"), py::arg("language"), py::arg("domain"),
             py::arg("scheme"), py::arg("threads"));
}

}  // namespace megadapt::python
