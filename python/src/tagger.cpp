// Tagging sentences: features of tokens from Python or from a template, Viterbi over any
// system.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "decoding/decoding.hpp"
#include "features/features.hpp"
#include "megadapt/systems.hpp"
#include "runner.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

/// A token: names of features with their values, and what the previous tag goes between.
struct TokenFeatures {
  std::vector<std::string> names = {};
  std::vector<float> values = {};  // empty when every value is 1
  std::vector<std::pair<std::string, std::string>> tag_features = {};
};
using FeatureSentence = std::vector<TokenFeatures>;

class Collector final : public FeatureSink {
 public:
  void feature(std::string_view name) override { token_.names.emplace_back(name); }
  void tag_feature(std::size_t, std::string_view before, std::string_view after) override {
    token_.tag_features.emplace_back(before, after);
  }
  void end_token() override { sentence_.push_back(std::exchange(token_, {})); }
  FeatureSentence take() { return std::exchange(sentence_, {}); }

 private:
  TokenFeatures token_;
  FeatureSentence sentence_;
};

/// Tokens as a template sees them. `features` is the name of a built-in set or the text of
/// a template.
std::vector<FeatureSentence> extract(const std::vector<std::vector<std::string>>& sentences,
                                     const std::string& features,
                                     const std::string& language) {
  const auto sets = builtin_feature_sets();
  const bool builtin = std::find(sets.begin(), sets.end(), features) != sets.end();
  const FeatureTemplate parsed = FeatureTemplate::parse(
      builtin ? builtin_features(features) : std::string_view(features), "features", {});
  FeatureExtractor extractor(parsed, {}, language);
  Collector collector;
  std::vector<FeatureSentence> all;
  for (const auto& tokens : sentences) {
    Sentence sentence;
    sentence.tokens.assign(tokens.begin(), tokens.end());
    sentence.forms = sentence.tokens;
    extractor.extract(sentence, collector);
    all.push_back(collector.take());
  }
  return all;
}

using NamedValues = std::pair<std::vector<std::string>, std::vector<float>>;

/// Features that Python names; every token also has the previous tag.
std::vector<FeatureSentence> named(const std::vector<std::vector<NamedValues>>& sentences) {
  const std::string before = fmt::format("{}=", kTagFeature);
  std::vector<FeatureSentence> all;
  for (const auto& tokens : sentences) {
    FeatureSentence sentence;
    for (const auto& [names, values] : tokens) {
      sentence.push_back({names, values, {{before, ""}}});
    }
    all.push_back(std::move(sentence));
  }
  return all;
}

/// Appends tokens to a data set, each with the features of the gold tag before it.
class TokenRows {
 public:
  explicit TokenRows(Dataset& data) : data_(data) { data_.features.add(""); }

  void add(const FeatureSentence& sentence, const std::vector<std::string>& tags,
           std::uint32_t domain) {
    const std::uint32_t group = data_.groups.add(fmt::to_string(data_.groups.size()));
    std::string_view previous = kSentenceStart;
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      add_features(sentence[t], previous);
      data_.label.push_back(data_.labels.add(tags[t]));
      data_.domain.push_back(domain);
      data_.weight.push_back(1);
      data_.group.push_back(group);
      previous = tags[t];
    }
  }

 private:
  void add_features(const TokenFeatures& token, std::string_view previous) {
    add("", 1);
    for (std::size_t i = 0; i < token.names.size(); ++i) {
      add(token.names[i], token.values.empty() ? 1 : token.values[i]);
    }
    for (const auto& [before, after] : token.tag_features) {
      add(fmt::format("{}{}{}", before, previous, after), 1);
    }
    ++row_;
    data_.rows.begin.push_back(data_.rows.feature.size());
  }

  // A name that a token repeats counts once.
  void add(std::string_view name, float value) {
    const std::uint32_t id = data_.features.add(name);
    if (id >= last_row_.size()) last_row_.resize(id + 1, kNone);
    if (std::exchange(last_row_[id], row_) == row_) return;
    SparseRows& rows = data_.rows;
    rows.feature.push_back(id);
    if (value != 1 && rows.value.empty()) rows.value.assign(rows.feature.size() - 1, 1);
    if (value != 1 || !rows.value.empty()) rows.value.push_back(value);
  }

  Dataset& data_;
  std::uint32_t row_ = 0;
  std::vector<std::uint32_t> last_row_;  // [F]
};

std::shared_ptr<Model> fit_tagger(const std::vector<FeatureSentence>& sentences,
                                  const std::vector<std::vector<std::string>>& tags,
                                  const std::vector<std::uint32_t>& domain,
                                  const std::vector<std::string>& domains,
                                  const std::string& system, const std::string& target,
                                  const Settings& settings, std::uint64_t seed, int threads,
                                  const py::object& progress) {
  Dataset data;
  for (const std::string& name : domains) data.domains.add(name);
  TokenRows rows(data);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    rows.add(sentences[s], tags[s], domain[s]);
  }
  AdaptationOptions options;
  set_options(options, settings);
  options.seed = seed;
  std::optional<Model> model;
  run(threads, progress, [&](const Execution& exec, const OnProgress& on_progress) {
    if (!progress.is_none()) options.on_progress = on_progress;
    model = train_model(std::move(data), system, target, options, settings, exec);
  });
  return std::make_shared<Model>(std::move(*model));
}

/// One sentence under a trained model.
class NamedSentence final : public LocalModel {
 public:
  NamedSentence(const Model& model, const FeatureSentence& sentence, std::uint32_t domain)
      : model_(model), domain_(domain) {
    for (const TokenFeatures& token : sentence) tokens_.push_back(encode(token));
  }

  std::size_t size() const override { return tokens_.size(); }
  std::uint32_t num_tags() const override { return model_.predictor->num_labels(); }
  void probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                     std::span<double> probability) const override {
    const Token& token = tokens_[t];
    const std::vector<std::span<const std::uint32_t>> templates(token.tags.begin(),
                                                                token.tags.end());
    predict_after(*model_.predictor, {token.ids, token.values}, templates, domain_,
                  previous, probability);
  }

 private:
  struct Token {
    std::vector<std::uint32_t> ids;
    std::vector<float> values;                     // empty when every value is 1
    std::vector<std::vector<std::uint32_t>> tags;  // [templates][labels + 1]
  };

  Token encode(const TokenFeatures& features) const {
    Token token;
    const auto add = [&](std::string_view name, float value) {
      const std::uint32_t id = model_.features.find(name);
      if (id == kNone ||
          std::find(token.ids.begin(), token.ids.end(), id) != token.ids.end())
        return;
      token.ids.push_back(id);
      if (!features.values.empty()) token.values.push_back(value);
    };
    for (std::size_t i = 0; i < features.names.size(); ++i) {
      add(features.names[i], features.values.empty() ? 1 : features.values[i]);
    }
    add("", 1);
    for (const auto& [before, after] : features.tag_features) {
      auto& ids = token.tags.emplace_back();
      for (const std::string& tag : model_.labels) ids.push_back(find(before, tag, after));
      ids.push_back(find(before, kSentenceStart, after));
    }
    return token;
  }

  std::uint32_t find(std::string_view before, std::string_view tag,
                     std::string_view after) const {
    return model_.features.find(fmt::format("{}{}{}", before, tag, after));
  }

  const Model& model_;
  std::uint32_t domain_;
  std::vector<Token> tokens_;
};

TagTransitions transitions(const Model& model, const std::string& scheme) {
  return TagTransitions(model.labels,
                        scheme.empty() ? guess_scheme(model.labels) : parse_scheme(scheme));
}

/// Calls body(sentence, s) for every sentence, side by side.
template <class Body>
void for_each_sentence(const Model& model, const std::vector<FeatureSentence>& sentences,
                       const std::vector<std::uint32_t>& domain, int threads, Body body) {
  run(threads, py::none(), [&](const Execution& exec, const OnProgress&) {
    exec.parallel_for(sentences.size(), 64, [&](std::size_t first, std::size_t last) {
      exec.throw_if_stopped();
      for (std::size_t s = first; s < last; ++s) {
        body(NamedSentence(model, sentences[s], domain[s]), s);
      }
    });
  });
}

std::vector<std::vector<std::string>> tag(const Model& model,
                                          const std::vector<FeatureSentence>& sentences,
                                          const std::vector<std::uint32_t>& domain,
                                          const std::string& scheme, int threads) {
  const TagTransitions allowed = transitions(model, scheme);
  std::vector<std::vector<std::string>> tags(sentences.size());
  for_each_sentence(model, sentences, domain, threads,
                    [&](const NamedSentence& sentence, std::size_t s) {
                      for (const std::uint32_t id : best_tags(sentence, allowed).tags) {
                        tags[s].push_back(model.labels[id]);
                      }
                    });
  return tags;
}

std::vector<std::vector<double>> marginals(const Model& model,
                                           const std::vector<FeatureSentence>& sentences,
                                           const std::vector<std::uint32_t>& domain,
                                           const std::string& scheme, int threads) {
  const TagTransitions allowed = transitions(model, scheme);
  std::vector<std::vector<double>> all(sentences.size());
  for_each_sentence(model, sentences, domain, threads,
                    [&](const NamedSentence& sentence, std::size_t s) {
                      all[s] = tag_marginals(sentence, allowed);
                    });
  return all;
}

}  // namespace

void bind_tagger(py::module_& module) {
  py::class_<TokenFeatures>(module, "TokenFeatures")
      .def_readonly("names", &TokenFeatures::names);
  module.def("extract_features", &extract, py::arg("sentences"), py::arg("features"),
             py::arg("language"));
  module.def("named_features", &named, py::arg("sentences"));
  module.def("fit_tagger", &fit_tagger, py::arg("sentences"), py::kw_only(),
             py::arg("tags"), py::arg("domain"), py::arg("domains"), py::arg("system"),
             py::arg("target"), py::arg("settings"), py::arg("seed"), py::arg("threads"),
             py::arg("progress") = py::none());
  module.def("tag", &tag, py::arg("model"), py::arg("sentences"), py::kw_only(),
             py::arg("domain"), py::arg("scheme"), py::arg("threads"));
  module.def("tag_marginals", &marginals, py::arg("model"), py::arg("sentences"),
             py::kw_only(), py::arg("domain"), py::arg("scheme"), py::arg("threads"));
}

}  // namespace megadapt::python
