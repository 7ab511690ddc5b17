#include "megadapt/classifier.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/messages.hpp"
#include "corpus/columns.hpp"
#include "corpus/text/feature_maker.hpp"
#include "dataset/row_checks.hpp"
#include "dataset/row_encoder.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kExamplesPerChunk = 256;

/// Counts rows whose domain is unknown and clears the domain they name.
class RowsOfKnownDomains final : public RowReader {
 public:
  RowsOfKnownDomains(std::unique_ptr<RowReader> rows, Classifier classifier,
                     UnknownDomains* unknown)
      : rows_(std::move(rows)), classifier_(std::move(classifier)), unknown_(unknown) {}

  bool next(Row& row) override {
    if (!rows_->next(row)) return false;
    if (row.domain.empty() || classifier_.knows_domain(row.domain)) return true;
    if (unknown_) unknown_->add(row.domain);
    row.domain = {};
    return true;
  }
  Format format() const override { return rows_->format(); }
  Place place() const override { return rows_->place(); }
  std::string sha256() const override { return rows_->sha256(); }

 private:
  std::unique_ptr<RowReader> rows_;
  Classifier classifier_;
  UnknownDomains* unknown_;
};

[[noreturn]] void refuse_text() {
  throw UsageError("the model was trained on feature lines, not on text",
                   "give it features, or train it on CSV, TSV or JSON Lines with text");
}

// Refuses a format that cannot hold the kind of rows that the model was trained on.
void check_format(const Recipe& recipe, Format format) {
  if (format != Format::text) return;
  if (recipe.from_text == false) refuse_text();
  if (recipe.columns.numbers.empty() && recipe.columns.categories.empty()) return;
  throw UsageError(
      fmt::format("the model also needs the columns {}, which lines of text lack",
                  fmt::join(corpus::feature_columns(recipe.columns), ", ")),
      "give CSV, TSV or JSON Lines with these columns");
}

// Only if the user named the format can we be sure that features are meant.
void check_guess(const Recipe& recipe, Format guessed) {
  const bool features = guessed == Format::megam || guessed == Format::megam_fvals ||
                        guessed == Format::libsvm;
  if (features && recipe.from_text == true) refuse_feature_lines();
}

}  // namespace

std::vector<std::string> LoadedModel::domains() const {
  std::vector<std::string> names;
  for (const ModelInfo::Domain& domain : model_->info.domains) names.push_back(domain.name);
  return names;
}

bool LoadedModel::knows_domain(std::string_view name) const {
  return std::ranges::find(model_->info.domains, name, &ModelInfo::Domain::name) !=
         model_->info.domains.end();
}

bool LoadedModel::has_gate() const {
  return model_->predictor->general({}, model_->target()).has_value();
}

struct Classifier::Worker::Impl {
  Impl(const Classifier& classifier, std::uint32_t fallback_domain)
      : owner(classifier),
        model(owner.model()),
        fallback(fallback_domain),
        encoder(model.features, &model.binning, &model.scaling),
        probability(model.labels.size()),
        maker(model.recipe->text, model.recipe->columns) {}

  // The row with all its features. A row of a reader lacks those of its text, so that all
  // threads share the work of making them.
  const Row& complete(const Row& row) {
    if (!row.unmade) return row;
    completed = row;
    maker.make(completed);
    return completed;
  }

  // The text of an example, or its columns of text joined by spaces.
  std::string_view text_of(const Example& example) {
    if (example.text) return *example.text;
    joined.clear();
    for (const std::string& name : model.recipe->columns.text) {
      const auto column = example.columns.find(name);
      if (column == example.columns.end()) continue;
      if (!joined.empty()) joined += ' ';
      joined += column->second;
    }
    return joined;
  }

  void read_text(const Example& example, Row& row) {
    if (model.recipe->from_text == false) refuse_text();
    row.from_text = row.unmade = true;
    row.text = text_of(example);
    const std::string problem = maker.add_columns(
        row, [&](const std::string& name) -> std::optional<std::string_view> {
          const auto column = example.columns.find(name);
          if (column == example.columns.end()) return std::nullopt;
          return column->second;
        });
    if (!problem.empty())
      throw UsageError(problem, "give a finite number, or leave it out");
  }

  const Classifier owner;  // keeps the model alive
  const Model& model;
  std::uint32_t fallback;
  RowEncoder encoder;
  RowView view;
  std::uint32_t domain = 0;
  std::vector<double> probability;
  corpus::FeatureMaker maker;
  Row given;                  // of an example
  Row completed;              // of a reader, with the features of its text
  const Row* made = nullptr;  // the row predicted last
  std::string joined;
};

Classifier::Worker::Worker(const Classifier& classifier, std::uint32_t fallback)
    : impl_(std::make_unique<Impl>(classifier, fallback)) {}
Classifier::Worker::~Worker() = default;
Classifier::Worker::Worker(Worker&&) noexcept = default;

const Row& Classifier::Worker::read(const Example& example) {
  Row& row = impl_->given;
  row.domain = example.domain;
  row.id = example.id;
  row.has_values = false;
  row.from_text = false;
  row.columns = 0;
  row.text = {};
  if (example.text || !example.columns.empty()) {
    impl_->read_text(example, row);
  } else {
    row.features.clear();
    for (const auto& [name, value] : example.features)
      row.features.push_back({name, value});
    row.has_values = example.has_values;
    row.unmade = impl_->model.recipe->text.hash_bits > 0;
  }
  if (row.unmade) impl_->maker.make(row);
  return row;
}

std::span<const double> Classifier::Worker::predict(const Row& row) {
  Impl& my = *impl_;
  my.domain = my.owner.domain_of_row(row.domain, my.fallback);
  my.made = &my.complete(row);
  my.view = my.encoder.encode(
      *my.made, [&](auto features) { my.model.predictor->prefetch(features, my.domain); });
  my.model.predictor->predict(my.view, my.domain, my.probability);
  return my.probability;
}

std::optional<double> Classifier::Worker::general() const {
  return impl_->model.predictor->general(impl_->view, impl_->domain);
}

RowView Classifier::Worker::encoded() const { return impl_->view; }
std::uint32_t Classifier::Worker::domain() const { return impl_->domain; }
std::span<const NamedFeature> Classifier::Worker::named() const {
  return impl_->made->features;
}

Explanation Classifier::Worker::explain(const Row& row, const ExplainOptions& options) {
  Impl& my = *impl_;
  const Row& made = my.complete(row);
  Explanation result =
      megadapt::explain(my.model, my.encoder.encode(made),
                        my.owner.domain_of_row(row.domain, my.fallback), options);
  for (const NamedFeature& feature : made.features) {
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

std::vector<std::string> Classifier::input_columns() const {
  const ColumnNames& columns = model_->recipe->columns;
  std::vector<std::string> names = columns.text;
  for (const std::string& name : corpus::feature_columns(columns)) names.push_back(name);
  return names;
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
  check_format(*model_->recipe, reading.format);
  reading.columns = corpus::with_asked(reading.columns, options.names);
  reading.needed_columns = corpus::asked_options(options.names);
  reading.defer_features = true;
  reading.stop = options.stop;
  reading.label_map = options.label_map;
  reading.digest = options.digest;
  if (!info().domains.empty()) {
    reading.domain = info().domains[domain_of(options.as_domain)].name;
  }
  auto rows = open_rows(path, reading);
  check_format(*model_->recipe, rows->format());
  if (options.format.empty()) check_guess(*model_->recipe, rows->format());
  return std::make_unique<RowsOfKnownDomains>(std::move(rows), *this,
                                              options.unknown_domains);
}

}  // namespace megadapt
