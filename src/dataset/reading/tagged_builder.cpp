#include "dataset/reading/tagged_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dataset/reading/span_tags.hpp"
#include "dataset/row_encoder.hpp"
#include "dataset/token_ids.hpp"
#include "features/features.hpp"
#include "sentences/prose_splitter.hpp"

namespace megadapt {
namespace {

constexpr char kTagHere = '\x01';  // stands for the tag in a slot's name

/// Adds new names to the vocabulary.
class GrowingNumbering final : public sequence::Numbering {
 public:
  explicit GrowingNumbering(NameIndex& features) : features_(features) {}
  std::uint32_t feature(std::string_view name) override { return features_.add(name); }
  std::uint32_t slot(std::size_t, std::string_view before,
                     std::string_view after) override {
    name_ = before;
    name_ += kTagHere;
    name_ += after;
    return slots_.add(name_);
  }
  const NameIndex& slots() const { return slots_; }

 private:
  NameIndex& features_;
  NameIndex slots_;
  std::string name_;
};

std::string with_tag(std::string_view slot, std::string_view tag) {
  const std::size_t at = slot.find(kTagHere);
  return fmt::format("{}{}{}", slot.substr(0, at), tag, slot.substr(at + 1));
}

/// Adds the features of a span to the vocabulary and to the current row.
class GrowingSink final : public FeatureSink {
 public:
  GrowingSink(NameIndex& features, RowBuilder& rows) : features_(features), rows_(rows) {}
  void feature(std::string_view name) override { rows_.add(features_.add(name)); }
  void tag_feature(std::size_t, std::string_view, std::string_view) override {}
  void end_token() override {}

 private:
  NameIndex& features_;
  RowBuilder& rows_;
};

}  // namespace

struct TaggedBuilder::Impl {
  Impl(Dataset& dataset, const Recipe& recipe)
      : data(dataset),
        schema(dataset.own_schema()),
        rows(dataset),
        known_features(schema.features.size()),
        bias(recipe.bias ? schema.features.add("") : kNone),
        numbering(schema.features) {
    if (recipe.task) {
      templates.emplace(template_of(*recipe.task));
      const TaskOptions& task = *recipe.task;
      if (task.spans()) {
        extractor.emplace(*templates, task.gazetteers, task.language);
        return;
      }
      tokens.emplace(*templates, task.gazetteers, task.language, numbering);
    }
    data.sentence_begin.push_back(0);
    data.tag_slots.templates =
        static_cast<std::uint32_t>(templates ? templates->num_tag_templates() : 1);
  }

  void add_span(const Sentence& sentence, RowFacts facts) {
    if (bias != kNone) rows.add(bias);
    GrowingSink sink(schema.features, rows);
    extractor->extract(sentence, sink);
    facts.label = schema.labels.add(sentence.tags.front());
    rows.end(facts);
  }

  void add_tokens(const Sentence& sentence, RowFacts facts) {
    tokens->set(sentence);
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      if (bias != kNone) rows.add(bias);
      tokens->append_context(t, rows.ids());
      const std::uint32_t previous = facts.label;
      for (std::size_t k = 0; k < data.tag_slots.templates; ++k) {
        add_tag_feature(tokens->slot(t, k), previous);
      }
      facts.label = schema.labels.add(sentence.tags[t]);
      rows.end(facts);
    }
  }

  void add_named(const NamedToken& token) {
    repeated.start_row(token.size() + 1);
    const auto add = [&](std::uint32_t id, float value) {
      if (repeated.is_new(id)) rows.add(id, value);  // a repeated name counts once
    };
    if (bias != kNone) add(bias, 1);
    for (const auto& [name, value] : token) add(schema.features.add(name), value);
  }

  // `previous` is a label, or kNone at the start of a sentence.
  void add_tag_feature(std::uint32_t slot, std::uint32_t previous) {
    data.tag_slots.slot.push_back(slot);
    if (slot == kNone) return;
    if (slot >= by_slot.size()) by_slot.resize(slot + std::size_t{1});
    std::vector<std::uint32_t>& row = by_slot[slot];
    const std::size_t column = previous + 1;  // kNone + 1 is 0
    if (column >= row.size()) row.resize(column + 1, kNone);
    if (row[column] == kNone) {
      const std::string_view tag =
          previous == kNone ? kSentenceStart : schema.labels.name(previous);
      row[column] = schema.features.add(with_tag(numbering.slots().name(slot), tag));
    }
    rows.add(row[column]);
  }

  void end_sentence() {
    if (data.num_examples() > data.sentence_begin.back()) {
      data.sentence_begin.push_back(data.num_examples());
    }
  }

  // Fills the gaps of a slot: features of the initial vocabulary for tags that never
  // precede this slot in the new rows.
  void find_known(std::string_view slot, std::vector<std::uint32_t>& row) const {
    for (std::uint32_t y = 0; y < row.size(); ++y) {
      if (row[y] != kNone) continue;
      const std::string_view tag =
          y + 1 < row.size() ? schema.labels.name(y) : kSentenceStart;
      row[y] = schema.features.find(with_tag(slot, tag));
    }
  }

  void finish_slots() {
    const std::size_t num_slots = numbering.slots().size();
    const std::size_t width = data.num_labels() + std::size_t{1};
    by_slot.resize(num_slots);
    std::uint32_t slot = 0;
    data.tag_slots.feature.reserve(num_slots * width);
    for (std::vector<std::uint32_t>& row : by_slot) {
      row.resize(width, kNone);  // [start, labels...] becomes [labels..., start]
      std::rotate(row.begin(), row.begin() + 1, row.end());
      if (known_features > 0) find_known(numbering.slots().name(slot++), row);
      data.tag_slots.feature.insert(data.tag_slots.feature.end(), row.begin(), row.end());
    }
    schema.tag_feature.resize(data.num_features());
    for (std::uint32_t f = 0; f < data.num_features(); ++f) {
      schema.tag_feature[f] = schema.features.name(f).starts_with(kTagFeature);
    }
  }

  Dataset& data;
  Schema& schema;
  RowBuilder rows;
  std::uint32_t known_features;  // number of features in the initial vocabulary
  std::uint32_t bias;
  GrowingNumbering numbering;
  std::optional<FeatureTemplate> templates;   // only with a task
  std::optional<FeatureExtractor> extractor;  // only for spans
  std::optional<sequence::TokenIds> tokens;   // only for sentences
  RepeatedIds repeated;                       // for named features
  std::vector<std::vector<std::uint32_t>> by_slot;
  sentences::TokenRuleCounter token_rules;
};

TaggedBuilder::TaggedBuilder(Dataset& data, const Recipe& recipe)
    : impl_(std::make_unique<Impl>(data, recipe)) {}
TaggedBuilder::~TaggedBuilder() = default;

void TaggedBuilder::add(const Sentence& sentence, std::uint32_t domain,
                        std::uint32_t group) {
  const RowFacts facts{.domain = domain, .group = group};
  for (const std::string_view token : sentence.forms) impl_->token_rules.add(token);
  if (impl_->extractor) return impl_->add_span(sentence, facts);
  impl_->add_tokens(sentence, facts);
  impl_->end_sentence();
}

TokenRules TaggedBuilder::token_rules() const { return impl_->token_rules.rules(); }

void TaggedBuilder::add(std::span<const NamedToken> tokens,
                        std::span<const std::string> tags, std::uint32_t domain,
                        std::uint32_t group) {
  RowFacts facts{.domain = domain, .group = group};
  const std::string before = fmt::format("{}=", kTagFeature);
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    impl_->add_named(tokens[t]);
    impl_->add_tag_feature(impl_->numbering.slot(0, before, ""), facts.label);
    facts.label = impl_->schema.labels.add(tags[t]);
    impl_->rows.end(facts);
  }
  impl_->end_sentence();
}

std::uint32_t TaggedBuilder::group_of_run(std::string_view name, std::size_t sentence) {
  const std::size_t first = sentence / kRunOfSentences * kRunOfSentences;
  return impl_->data.own_groups().add(
      fmt::format("{}:{}-{}", name, first + 1, first + kRunOfSentences));
}

void TaggedBuilder::renumber(const std::vector<std::uint32_t>& new_id) {
  for (std::vector<std::uint32_t>& row : impl_->by_slot) {
    for (std::uint32_t& id : row) id = id == kNone ? kNone : new_id[id];
  }
}

void TaggedBuilder::finish(std::string_view scheme) {
  if (impl_->extractor) return;
  impl_->finish_slots();
  impl_->schema.scheme = scheme_for(impl_->data, scheme);
}

}  // namespace megadapt
