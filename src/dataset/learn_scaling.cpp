#include "dataset/learn_scaling.hpp"

#include <cmath>

#include "corpus/text/feature_maker.hpp"

namespace megadapt {
namespace {

enum class Kind { plain, word, number };

// Feature lines have their values already.
bool has_idf(const Recipe& recipe) {
  return recipe.text.weights == TextWeights::tfidf && recipe.from_text == true;
}

std::vector<Kind> kinds_of(const NameIndex& features, const Recipe& recipe) {
  const bool idf = has_idf(recipe);
  std::vector<Kind> kinds(features.size(), Kind::plain);
  for (std::uint32_t f = 0; f < features.size(); ++f) {
    const std::string_view name = features.name(f);
    if (corpus::is_number_feature(name, recipe.columns)) {
      kinds[f] = Kind::number;
    } else if (idf && !name.empty() && !corpus::is_category_feature(name, recipe.columns)) {
      kinds[f] = Kind::word;
    }
  }
  return kinds;
}

/// Sums over the rows of all ranks, by feature.
class FeatureSums {
 public:
  FeatureSums(const Dataset& data, Communicator& ranks) : data_(data), ranks_(ranks) {}

  /// The sum of `term(feature, value)` for each feature: [F].
  template <class Term>
  std::vector<double> of(Term term) const {
    const SparseRows& rows = data_.rows;
    std::vector<double> sums(data_.num_features());
    for (std::size_t i = 0; i < rows.nonzeros(); ++i) {
      const std::uint32_t f = rows.feature[i];
      const float value = rows.value.empty() ? 1 : rows.value[i];
      sums[f] += term(f, static_cast<double>(value));
    }
    ranks_.sum(sums);
    return sums;
  }

 private:
  const Dataset& data_;
  Communicator& ranks_;
};

// scale = idf / (mean idf of the words of all rows), so that a mean word weighs 1 as it does
// without idf, and the prior variances keep their meaning.
void scale_words(const std::vector<Kind>& kinds, const std::vector<double>& rows_with,
                 double num_rows, Scaling& scaling) {
  std::vector<double> idf(kinds.size());
  double sum = 0, words = 0;
  for (std::size_t f = 0; f < kinds.size(); ++f) {
    if (kinds[f] != Kind::word) continue;
    idf[f] = 1 + std::log((1 + num_rows) / (1 + rows_with[f]));
    sum += rows_with[f] * idf[f];
    words += rows_with[f];
  }
  for (std::size_t f = 0; f < kinds.size(); ++f) {
    if (kinds[f] == Kind::word) scaling.scale[f] = static_cast<float>(idf[f] * words / sum);
  }
}

// (value - mean) / deviation over the rows that have a value.
void scale_numbers(const std::vector<Kind>& kinds, const std::vector<double>& rows_with,
                   const FeatureSums& sums, Scaling& scaling) {
  std::vector<double> mean = sums.of([](std::uint32_t, double value) { return value; });
  for (std::size_t f = 0; f < mean.size(); ++f) mean[f] /= rows_with[f];
  const std::vector<double> squares = sums.of(
      [&](std::uint32_t f, double value) { return (value - mean[f]) * (value - mean[f]); });
  scaling.shift.assign(kinds.size(), 0);
  for (std::size_t f = 0; f < kinds.size(); ++f) {
    if (kinds[f] != Kind::number) continue;
    const double deviation = std::sqrt(squares[f] / rows_with[f]);
    scaling.shift[f] = static_cast<float>(mean[f]);
    if (deviation > 0) scaling.scale[f] = static_cast<float>(1 / deviation);
  }
}

}  // namespace

void learn_scaling(Dataset& data, Communicator& ranks) {
  const Recipe& recipe = *data.recipe;
  const bool idf = has_idf(recipe);
  const bool numbers = !recipe.columns.numbers.empty() && recipe.bins == 0;
  if (!idf && !numbers) return;
  const std::vector<Kind> kinds = kinds_of(data.features(), recipe);
  const FeatureSums sums(data, ranks);
  const std::vector<double> rows_with = sums.of([](std::uint32_t, double) { return 1; });
  std::vector<double> num_rows{static_cast<double>(data.num_examples())};
  ranks.sum(num_rows);
  Scaling scaling;
  scaling.scale.assign(kinds.size(), 1);
  if (idf) scale_words(kinds, rows_with, num_rows[0], scaling);
  if (numbers) scale_numbers(kinds, rows_with, sums, scaling);
  scale_values(data.rows, scaling);
  data.own_schema().scaling = std::move(scaling);
}

void scale_values(SparseRows& rows, const Scaling& scaling) {
  if (scaling.empty()) return;
  if (rows.value.empty()) rows.value.assign(rows.nonzeros(), 1);
  for (std::size_t i = 0; i < rows.nonzeros(); ++i) {
    rows.value[i] = scaling.apply(rows.feature[i], rows.value[i]);
  }
}

}  // namespace megadapt
