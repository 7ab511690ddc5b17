#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "dataset/reading/sequence_encoder.hpp"
#include "dataset/row_encoder.hpp"
#include "dataset/token_ids.hpp"
#include "features/features.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kMostSlots = 1'000'000;

/// Looks names up in a fixed vocabulary. Each slot has a row of feature ids, one per
/// previous tag.
class FixedNumbering final : public sequence::Numbering {
 public:
  FixedNumbering(NameIndexView features, const std::vector<std::string>& tags)
      : features_(features), tags_(tags) {
    tags_.emplace_back(kSentenceStart);
  }

  std::uint32_t feature(std::string_view name) override { return features_.find(name); }

  std::uint32_t slot(std::size_t, std::string_view before,
                     std::string_view after) override {
    const auto number = static_cast<std::uint32_t>(rows_.size() / tags_.size());
    for (const std::string& tag : tags_) {
      name_ = before;
      name_ += tag;
      name_ += after;
      rows_.push_back(features_.find(name_));
    }
    return number;
  }

  std::span<const std::uint32_t> row(std::uint32_t slot) const {
    return std::span(rows_).subspan(slot * tags_.size(), tags_.size());
  }
  std::size_t num_slots() const { return rows_.size() / tags_.size(); }

 private:
  NameIndexView features_;
  std::vector<std::string> tags_;  // last: the start of a sentence
  std::vector<std::uint32_t> rows_;
  std::string name_;
};

/// Collects the ids of a span's features.
class SpanSink final : public FeatureSink {
 public:
  SpanSink(NameIndexView features, std::vector<std::uint32_t>& ids, std::size_t& unseen)
      : features_(features), ids_(ids), unseen_(unseen) {}
  void feature(std::string_view name) override {
    const std::uint32_t id = features_.find(name);
    if (id == kNone) {
      ++unseen_;
    } else {
      ids_.push_back(id);
    }
  }
  void tag_feature(std::size_t, std::string_view, std::string_view) override {}
  void end_token() override {}

 private:
  NameIndexView features_;
  std::vector<std::uint32_t>& ids_;
  std::size_t& unseen_;
};

}  // namespace

struct SequenceEncoder::Impl {
  Impl(const std::optional<TaskOptions>& options, NameIndexView vocabulary,
       const std::vector<std::string>& tag_names)
      : task(options), features(vocabulary), tags(tag_names), bias(vocabulary.find("")) {
    if (task) templates.emplace(template_of(*task));
    if (task && task->spans()) {
      extractor =
          std::make_unique<FeatureExtractor>(*templates, task->gazetteers, task->language);
    } else {
      start_tokens();
    }
  }

  void start_tokens() {
    numbering = std::make_unique<FixedNumbering>(features, tags);
    if (!task) {
      numbering->slot(0, fmt::format("{}=", kTagFeature), "");
      return;
    }
    tokens = std::make_unique<sequence::TokenIds>(*templates, task->gazetteers,
                                                  task->language, *numbering);
  }

  std::size_t num_tag_templates() const {
    return templates ? templates->num_tag_templates() : 1;
  }

  void start() {
    ids.clear();
    values.clear();
    begin.assign(1, 0);
    slots.clear();
  }

  void encode(const Sentence& sentence) {
    start();
    if (extractor) return encode_span(sentence);
    if (numbering->num_slots() > kMostSlots) {
      unseen += tokens->left_out();
      start_tokens();
    }
    tokens->set(sentence);
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      if (bias != kNone) ids.push_back(bias);
      tokens->append_context(t, ids);
      begin.push_back(ids.size());
      for (std::size_t k = 0; k < num_tag_templates(); ++k) {
        slots.push_back(tokens->slot(t, k));
      }
    }
  }

  void encode(std::span<const NamedToken> sentence) {
    start();
    for (const NamedToken& token : sentence) {
      repeated.start_row(token.size() + 1);
      const auto add = [&](std::uint32_t id, float value) {
        if (!repeated.is_new(id)) return;  // a repeated name counts once
        ids.push_back(id);
        values.push_back(value);
      };
      if (bias != kNone) add(bias, 1);
      for (const auto& [name, value] : token) {
        const std::uint32_t id = features.find(name);
        if (id == kNone) {
          ++unseen;
        } else {
          add(id, value);
        }
      }
      begin.push_back(ids.size());
      slots.push_back(0);
    }
    if (std::ranges::all_of(values, [](float value) { return value == 1; })) values.clear();
  }

  void encode_span(const Sentence& sentence) {
    if (bias != kNone) ids.push_back(bias);
    SpanSink sink(features, ids, unseen);
    extractor->extract(sentence, sink);
    begin.push_back(ids.size());
  }

  std::optional<TaskOptions> task;
  NameIndexView features;
  std::vector<std::string> tags;
  std::uint32_t bias;
  std::optional<FeatureTemplate> templates;     // only with a task
  std::unique_ptr<FeatureExtractor> extractor;  // only for spans
  std::unique_ptr<FixedNumbering> numbering;    // only for tokens
  std::unique_ptr<sequence::TokenIds> tokens;
  RepeatedIds repeated;  // for named features
  std::vector<std::uint32_t> ids;
  std::vector<float> values;          // for named features; empty: all are 1
  std::vector<std::size_t> begin{0};  // [rows + 1]
  std::vector<std::uint32_t> slots;   // [rows][tag templates]
  std::size_t unseen = 0;
};

SequenceEncoder::SequenceEncoder(const std::optional<TaskOptions>& task,
                                 NameIndexView features,
                                 const std::vector<std::string>& tags)
    : impl_(std::make_unique<Impl>(task, features, tags)) {}
SequenceEncoder::~SequenceEncoder() = default;
SequenceEncoder::SequenceEncoder(SequenceEncoder&&) noexcept = default;

void SequenceEncoder::encode(const Sentence& sentence) { impl_->encode(sentence); }
void SequenceEncoder::encode(std::span<const NamedToken> tokens) { impl_->encode(tokens); }
std::size_t SequenceEncoder::size() const { return impl_->begin.size() - 1; }

std::size_t SequenceEncoder::unseen() const {
  return impl_->unseen + (impl_->tokens ? impl_->tokens->left_out() : 0);
}

std::span<const std::uint32_t> SequenceEncoder::context(std::size_t t) const {
  return std::span(impl_->ids)
      .subspan(impl_->begin[t], impl_->begin[t + 1] - impl_->begin[t]);
}

std::span<const float> SequenceEncoder::values(std::size_t t) const {
  if (impl_->values.empty()) return {};
  return std::span(impl_->values)
      .subspan(impl_->begin[t], impl_->begin[t + 1] - impl_->begin[t]);
}

std::size_t SequenceEncoder::num_tag_templates() const {
  return impl_->num_tag_templates();
}

std::span<const std::uint32_t> SequenceEncoder::tag_features(std::size_t t,
                                                             std::size_t k) const {
  const std::uint32_t slot = impl_->slots[t * num_tag_templates() + k];
  if (slot == kNone) return {};
  return impl_->numbering->row(slot);
}

}  // namespace megadapt
