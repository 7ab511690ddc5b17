#include <algorithm>

#include "decoding/decoding.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kSentencesPerChunk = 16;
// Sets `context` to row `n` without the features of the gold previous tag.
void set_context(const Dataset& data, std::size_t n, TokenRow& context) {
  const RowView row = data.rows[n];
  context.features.clear();
  context.values.clear();
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (data.is_tag_feature(row.features[i])) continue;
    context.features.push_back(row.features[i]);
    if (!row.values.empty()) context.values.push_back(row.values[i]);
  }
}

// Sets the features that each template with the previous tag gives row `n` after each tag.
void set_templates(const Dataset& data, std::size_t n,
                   std::vector<std::span<const std::uint32_t>>& templates) {
  const TagSlots& slots = data.tag_slots;
  const std::size_t width = std::size_t{data.num_labels()} + 1;
  templates.clear();
  for (std::uint32_t k = 0; k < slots.templates; ++k) {
    const std::uint32_t slot = slots.slot[n * slots.templates + k];
    if (slot == kNone) continue;
    templates.emplace_back(slots.feature.data() + slot * width, width);
  }
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> sentence_pieces(const Dataset& data,
                                                                 RowIds rows) {
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  const auto& begins = data.sentence_begin;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool follows = i > 0 && rows[i] == rows[i - 1] + 1;
    if (!follows || std::binary_search(begins.begin(), begins.end(), rows[i])) {
      pieces.emplace_back(i, i);
    }
    pieces.back().second = i + 1;
  }
  return pieces;
}

void DatasetSentence::probabilities(std::size_t t, std::span<const std::uint32_t> previous,
                                    std::span<double> probability) const {
  thread_local TokenRow context;
  thread_local std::vector<std::span<const std::uint32_t>> templates;
  set_context(data_, first_ + t, context);
  set_templates(data_, first_ + t, templates);
  predict_after(predictor_, context.view(), templates, domain_, previous, probability);
}

TokenRow DatasetSentence::row_after(std::size_t t, std::uint32_t previous) const {
  TokenRow row;
  std::vector<std::span<const std::uint32_t>> templates;
  set_context(data_, first_ + t, row);
  set_templates(data_, first_ + t, templates);
  for (const auto of_template : templates) {
    const std::uint32_t feature = feature_after(of_template, previous);
    if (feature == kNone) continue;
    row.features.push_back(feature);
    if (!row.values.empty()) row.values.push_back(1);
  }
  return row;
}

std::vector<std::uint32_t> tag_rows(const Predictor& predictor, const Dataset& data,
                                    RowIds rows, std::uint32_t domain,
                                    const TagTransitions& transitions,
                                    const Execution& exec) {
  std::vector<std::uint32_t> tags(rows.size());
  const auto pieces = sentence_pieces(data, rows);
  exec.parallel_for(pieces.size(), kSentencesPerChunk,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t s = begin; s < end; ++s) {
                        const auto [first, last] = pieces[s];
                        const DatasetSentence sentence(predictor, data, rows[first],
                                                       rows[first] + last - first, domain);
                        const TagSequence best = best_tags(sentence, transitions);
                        std::copy(best.tags.begin(), best.tags.end(),
                                  tags.begin() + static_cast<std::ptrdiff_t>(first));
                      }
                    });
  return tags;
}

}  // namespace megadapt
