#include "megadapt/classifier.hpp"

#include <fmt/format.h>

#include "base/messages.hpp"
#include "corpus/readers.hpp"
#include "corpus/text_features.hpp"
#include "dataset/row_encoder.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kExamplesPerChunk = 256;

/// Refuses rows of unknown domains while reading, so that the error can name their place.
class RowsOfKnownDomains final : public RowReader {
 public:
  RowsOfKnownDomains(std::unique_ptr<RowReader> rows, std::shared_ptr<const Model> model)
      : rows_(std::move(rows)), model_(std::move(model)) {}

  bool next(Row& row) override {
    if (!rows_->next(row)) return false;
    if (!row.domain.empty()) check(row.domain);
    return true;
  }
  Format format() const override { return rows_->format(); }
  Place place() const override { return rows_->place(); }
  std::string sha256() const override { return rows_->sha256(); }

 private:
  void check(std::string_view domain) const {
    std::vector<std::string> names;
    for (const ModelInfo::Domain& known : model_->info.domains) {
      if (known.name == domain) return;
      names.push_back(known.name);
    }
    throw InputError(
        place(), fmt::format("the model knows no domain '{}'", excerpt(domain)),
        suggest(domain, names,
                "leave the domain out, or name one that 'megadapt model info' lists"));
  }

  std::unique_ptr<RowReader> rows_;
  std::shared_ptr<const Model> model_;
};

}  // namespace

std::vector<std::string> LoadedModel::domains() const {
  std::vector<std::string> names;
  for (const ModelInfo::Domain& domain : model_->info.domains) names.push_back(domain.name);
  return names;
}

bool LoadedModel::has_gate() const {
  return model_->predictor->general({}, model_->target()).has_value();
}

struct Classifier::Worker::Impl {
  Impl(const Classifier& classifier, std::uint32_t fallback_domain)
      : owner(classifier),
        model(owner.model()),
        fallback(fallback_domain),
        encoder(model.features, &model.binning),
        probability(model.labels.size()) {}

  // Created on first use: most workers get rows that a reader made.
  struct Recipe {
    explicit Recipe(const TextOptions& options)
        : text(options), hasher(options.hash_bits) {}
    corpus::TextFeatures text;
    corpus::FeatureHasher hasher;
    Row row;
  };

  const Classifier owner;  // keeps the model alive
  const Model& model;
  std::uint32_t fallback;
  RowEncoder encoder;
  RowView view;
  std::uint32_t domain = 0;
  std::vector<double> probability;
  std::unique_ptr<Recipe> recipe;
};

Classifier::Worker::Worker(const Classifier& classifier, std::uint32_t fallback)
    : impl_(std::make_unique<Impl>(classifier, fallback)) {}
Classifier::Worker::~Worker() = default;
Classifier::Worker::Worker(Worker&&) noexcept = default;

const Row& Classifier::Worker::read(const Example& example) {
  if (!impl_->recipe)
    impl_->recipe = std::make_unique<Impl::Recipe>(impl_->model.recipe->text);
  Impl::Recipe& recipe = *impl_->recipe;
  Row& row = recipe.row;
  row.domain = example.domain;
  row.id = example.id;
  row.has_values = example.has_values;
  row.features.clear();
  if (example.text) {
    row.has_values = false;
    recipe.text.extract(*example.text, row.features);
  } else {
    for (const auto& [name, value] : example.features)
      row.features.push_back({name, value});
  }
  recipe.hasher.rename(row.features);
  return row;
}

std::span<const double> Classifier::Worker::predict(const Row& row) {
  Impl& my = *impl_;
  my.domain = my.owner.domain_of(row.domain, my.fallback);
  my.view = my.encoder.encode(
      row, [&](auto features) { my.model.predictor->prefetch(features, my.domain); });
  my.model.predictor->predict(my.view, my.domain, my.probability);
  return my.probability;
}

std::optional<double> Classifier::Worker::general() const {
  return impl_->model.predictor->general(impl_->view, impl_->domain);
}

Explanation Classifier::Worker::explain(const Row& row, const ExplainOptions& options) {
  Impl& my = *impl_;
  Explanation result =
      megadapt::explain(my.model, my.encoder.encode(row),
                        my.owner.domain_of(row.domain, my.fallback), options);
  for (const NamedFeature& feature : row.features) {
    if (my.model.features.find(feature.name) == kNone &&
        my.model.binning.features.find(feature.name) == kNone) {
      result.unseen.emplace_back(feature.name);
    }
  }
  return result;
}

std::size_t Classifier::Worker::unseen() const { return impl_->encoder.unseen(); }

Classifier Classifier::load(const std::string& path, bool verify) {
  return Classifier(load_model(path, verify));
}

Classifier::Worker Classifier::worker(std::string_view as_domain) const {
  return Worker(*this, domain_of(as_domain));
}

Prediction Classifier::predict(const Example& example) const {
  return std::move(predict({&example, 1}, Execution(1)).front());
}

std::vector<Prediction> Classifier::predict(std::span<const Example> examples,
                                            const Execution& exec) const {
  std::vector<Prediction> all(examples.size());
  exec.parallel_for(examples.size(), kExamplesPerChunk,
                    [&](std::size_t begin, std::size_t end) {
                      Worker own = worker();
                      for (std::size_t n = begin; n < end; ++n) {
                        const auto p = own.predict(own.read(examples[n]));
                        all[n] = {most_probable(p), {p.begin(), p.end()}, own.general()};
                      }
                    });
  return all;
}

Explanation Classifier::explain(const Example& example,
                                const ExplainOptions& options) const {
  Worker own = worker();
  return own.explain(own.read(example), options);
}

std::unique_ptr<RowReader> Classifier::open(const std::string& path,
                                            const OpenOptions& options) const {
  ReadOptions reading =
      reading_for(*model_->recipe,
                  options.format.empty() ? Format::guess : parse_format(options.format),
                  options.labelled);
  reading.stop = options.stop;
  reading.label_map = options.label_map;
  reading.digest = options.digest;
  if (!info().domains.empty()) {
    reading.domain = info().domains[domain_of(options.as_domain)].name;
  }
  return std::make_unique<RowsOfKnownDomains>(open_rows(path, reading), model_);
}

}  // namespace megadapt
