#include "megam/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/messages.hpp"
#include "megadapt/error.hpp"

namespace megadapt::megam {
namespace {

constexpr std::string_view kNames = "***NAMEDLABELSIDS***";
constexpr const char* kForm = "give a file of weights that this program or MEGAM printed";

class WeightsReader {
 public:
  WeightsReader(const std::string& path, const Options& options)
      : options_(options),
        lines_(corpus::decompressed(corpus::open_stored(path), corpus::display_name(path)),
               corpus::display_name(path)) {}

  Weights read() {
    while (lines_.next(text_)) {
      splitter_.split(text_, fields_);
      if (fields_.empty()) continue;
      if (fields_[0].name == kNames) {
        for (std::size_t i = 1; i < fields_.size(); ++i)
          result_.classes.add(fields_[i].name);
      } else {
        add_weights();
      }
    }
    if (result_.value.empty()) fail_file("there are no weights");
    if (options_.named_classes != (result_.classes.size() > 0)) {
      fail_file(options_.named_classes ? "there are no names of classes"
                                       : "the classes have names: use -nc");
    }
    if (options_.named_classes && result_.classes.size() != result_.columns) {
      fail_file(fmt::format("there are {} names of classes for {} weights of a feature",
                            result_.classes.size(), result_.columns));
    }
    return std::move(result_);
  }

 private:
  void add_weights() {
    const std::size_t columns = fields_.size() - 1;
    const bool one = options_.binary || options_.explicit_features;
    if (columns == 0 || (one && columns != 1)) {
      fail(fmt::format("a feature has {} weights; expected {}", columns,
                       one ? "one" : "one per class"));
    }
    if (result_.value.empty()) result_.columns = static_cast<std::uint32_t>(columns);
    if (columns != result_.columns) {
      fail(fmt::format("{} weights, but {} in the lines before", columns, result_.columns));
    }
    if (result_.features.add(fields_[0].name) * columns != result_.value.size()) {
      fail(fmt::format("feature '{}' occurs twice", excerpt(fields_[0].name)));
    }
    for (std::size_t i = 1; i < fields_.size(); ++i) {
      result_.value.push_back(weight(fields_[i].name));
    }
  }

  double weight(std::string_view text) const {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value)) {
      fail(fmt::format("the weight '{}' is not a number", excerpt(text)));
    }
    return value;
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({lines_.file(), lines_.line_number(), std::string(text_)}, problem,
                     kForm);
  }
  [[noreturn]] void fail_file(const std::string& problem) const {
    throw InputError({.file = lines_.file()}, problem, kForm);
  }

  const Options& options_;
  corpus::LineReader lines_;
  corpus::FieldSplitter splitter_;
  std::vector<NamedFeature> fields_;
  std::string_view text_;
  Weights result_;
};

}  // namespace

std::vector<double> Weights::probabilities(const Examples& examples, std::size_t n,
                                           const Options& options) const {
  std::vector<double> score;
  for (std::size_t r = examples.begin[n]; r < examples.begin[n + 1]; ++r) {
    const RowView row = examples.rows[r];
    const std::size_t first = score.size();
    score.resize(first + columns);
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const double x = row.values.empty() ? 1 : static_cast<double>(row.values[i]);
      for (std::uint32_t y = 0; y < columns; ++y) {
        score[first + y] += x * value[std::size_t{row.features[i]} * columns + y];
      }
    }
  }
  if (options.binary) score.insert(score.begin(), 0.0);
  const double highest = *std::max_element(score.begin(), score.end());
  double total = 0;
  for (double& s : score) total += s = std::exp(s - highest);
  for (double& s : score) s /= total;
  return score;
}

Weights read_weights(const std::string& path, const Options& options) {
  return WeightsReader(path, options).read();
}

std::string text_of(const Weights& weights) {
  std::string text;
  if (weights.classes.size() > 0) {
    text += kNames;
    for (const std::string& name : weights.classes.names()) text += "\t" + name;
    text += "\n";
  }
  for (std::uint32_t f = 0; f < weights.features.size(); ++f) {
    text += weights.features.name(f);
    for (std::uint32_t y = 0; y < weights.columns; ++y) {
      text += fmt::format(" {:.20f}", weights.value[std::size_t{f} * weights.columns + y]);
    }
    text += "\n";
  }
  return text;
}

}  // namespace megadapt::megam
