#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "container/sections.hpp"
#include "megadapt/model.hpp"
#include "models/predictors.hpp"
#include "models/softmax.hpp"

namespace megadapt {
namespace {

struct Weights {
  std::span<const float> all;  // [F][stride]
  std::size_t stride;
  std::size_t num_features;
};

// scores[k] += sum_f x_f lambda[f][first + k] for `width` labels at once; value(i) is the x
// of the row's feature i. Sums are double, so long rows and large values stay accurate.
// Double costs no time here: each addition waits for the one before it anyway.
template <std::size_t width, class Value>
void add_features(const Weights& weights, RowView row, std::size_t first, Value value,
                  double* scores) {
  double sums[width];
  std::copy_n(scores, width, sums);
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    const std::size_t feature = row.features[i];
    if (feature >= weights.num_features) continue;
    const float* lambda = weights.all.data() + feature * weights.stride + first;
    for (std::size_t k = 0; k < width; ++k) {
      sums[k] += value(i) * static_cast<double>(lambda[k]);
    }
  }
  std::copy_n(sums, width, scores);
}

template <std::size_t width>
void score_labels(const Weights& weights, RowView row, std::size_t first, double* scores) {
  if (row.values.empty()) {
    add_features<width>(
        weights, row, first, [](std::size_t) { return 1.0; }, scores);
  } else {
    add_features<width>(
        weights, row, first,
        [&](std::size_t i) { return static_cast<double>(row.values[i]); }, scores);
  }
}

// Extra room, because the kernel pads scores to whole vectors.
constexpr std::size_t kScratch = 4;

}  // namespace

MaxentPredictor::MaxentPredictor(std::uint32_t num_labels, std::span<const double> weights)
    : num_labels_(num_labels) {
  assert(num_labels > 0 && weights.size() % num_labels == 0);
  const std::size_t stride = label_stride(num_labels);
  owned_.resize(weights.size() / num_labels * stride);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    owned_[i / num_labels * stride + i % num_labels] = static_cast<float>(weights[i]);
  }
  weights_ = owned_;
}

MaxentPredictor::MaxentPredictor(const SectionReader& in, const std::string& prefix)
    : num_labels_(0) {
  const auto num_labels = in.u32(prefix + "num_labels");
  constexpr std::uint32_t kMostLabels = 1U << 30;
  if (num_labels.size() != 1 || num_labels[0] == 0 || num_labels[0] > kMostLabels) {
    in.damaged(fmt::format("section '{}num_labels' is not a number of labels", prefix));
  }
  num_labels_ = num_labels[0];
  weights_ = in.f32(prefix + "weights");
  if (weights_.size() % label_stride(num_labels_) != 0) {
    in.damaged(
        fmt::format("section '{}weights' does not fit {} labels", prefix, num_labels_));
  }
}

ModelPart MaxentPredictor::parts(const PartNames& /*names*/) const {
  return {.predictor = this,
          .weights = LinearWeights{weights_, num_labels_, label_stride(num_labels_)}};
}

void MaxentPredictor::save(SectionWriter& out, const std::string& prefix) const {
  out.add(prefix + "num_labels", std::span(&num_labels_, 1));
  out.add(prefix + "weights", weights_, label_stride(num_labels_));
}

// Processes labels in blocks of vector registers; `scores` is [stride].
void MaxentPredictor::add_scores(RowView row, std::span<double> scores) const {
  const std::size_t stride = scores.size();
  const Weights weights{weights_, stride, weights_.size() / stride};
  for (std::size_t first = 0; first < stride;) {
    double* block = scores.data() + first;
    const std::size_t left = stride - first;
    const std::size_t width = left >= 16 ? 16 : left >= 8 ? 8 : left >= 4 ? 4 : 2;
    if (width == 16) score_labels<16>(weights, row, first, block);
    if (width == 8) score_labels<8>(weights, row, first, block);
    if (width == 4) score_labels<4>(weights, row, first, block);
    if (width == 2) score_labels<2>(weights, row, first, block);
    first += width;
  }
}

void MaxentPredictor::prefetch(std::span<const std::uint32_t> features,
                               std::uint32_t /*domain*/) const {
  const std::size_t stride = label_stride(num_labels_);
  for (const std::size_t feature : features) {
    if (feature * stride < weights_.size()) __builtin_prefetch(&weights_[feature * stride]);
  }
}

void MaxentPredictor::predict(RowView row, std::uint32_t domain,
                              Numbers probability) const {
  const RowView nothing;
  predict_extended(row, {&nothing, 1}, domain, probability);
}

void MaxentPredictor::predict_extended(RowView base, Rows extensions,
                                       std::uint32_t /*domain*/,
                                       Numbers probability) const {
  assert(probability.size() == extensions.size() * num_labels_);
  const std::uint32_t stride = label_stride(num_labels_);
  thread_local std::vector<double> scores, scratch;
  thread_local std::vector<SoftmaxRow> rows;
  scores.assign(stride, 0);
  scratch.resize(stride + kScratch);
  add_scores(base, scores);
  rows.clear();
  for (const RowView& extension : extensions) {
    rows.push_back({extension.features.data(),
                    extension.values.empty() ? nullptr : extension.values.data(),
                    extension.features.size()});
  }
  softmax_rows({weights_.data(), num_features(), num_labels_, stride}, scores.data(),
               rows.data(), rows.size(), scratch.data(), probability.data());
}

}  // namespace megadapt
