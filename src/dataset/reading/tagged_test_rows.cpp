#include <fmt/format.h>

#include "dataset/reading/read_sentences.hpp"
#include "dataset/reading/sequence_encoder.hpp"
#include "dataset/reading/untagged_rows.hpp"

namespace megadapt {
namespace {

/// Appends sentences to a data set with the fixed vocabulary of training.
class TestRows {
 public:
  TestRows(const Dataset& train, std::uint32_t target)
      : tags_(train.labels().names()),
        target_(target),
        spans_(train.recipe->task && train.recipe->task->spans()),
        encoder_(train.recipe->task, train.features().view(), tags_),
        rows_(test_) {
    test_.schema = train.schema;
    test_.recipe = train.recipe;
    if (spans_) return;
    test_.sentence_begin.push_back(0);
    test_.tag_slots.templates = static_cast<std::uint32_t>(encoder_.num_tag_templates());
  }

  void add(const Sentence& sentence, std::string_view group) {
    encoder_.encode(sentence);
    std::uint32_t previous = static_cast<std::uint32_t>(tags_.size());  // the start
    for (std::size_t t = 0; t < encoder_.size(); ++t) {
      rows_.add(RowView{encoder_.context(t), {}});
      if (!spans_) add_tag_features(t, previous);
      previous = test_.add_extra_label(sentence.tags[t]);
      rows_.end(
          {.label = previous, .domain = target_, .group = test_.own_groups().add(group)});
    }
    if (!spans_ && encoder_.size() > 0) {
      test_.sentence_begin.push_back(test_.num_examples());
    }
  }

  /// Adds a sentence whose tags are not known, so its rows lack features of tags.
  template <class Tokens>
  void add_untagged(const Tokens& sentence) {
    encoder_.encode(sentence);
    for (std::size_t t = 0; t < encoder_.size(); ++t) {
      rows_.add(RowView{encoder_.context(t), encoder_.values(t)});
      if (!spans_) add_slots(t);
      rows_.end({.label = kNone, .domain = target_});
    }
    if (!spans_ && encoder_.size() > 0) {
      test_.sentence_begin.push_back(test_.num_examples());
    }
  }

  Dataset& data() { return test_; }

  Dataset finish() {
    widen_slots();
    return std::move(test_);
  }

 private:
  void add_slots(std::size_t t) {
    TagSlots& slots = test_.tag_slots;
    for (std::size_t k = 0; k < slots.templates; ++k) {
      const auto after = encoder_.tag_features(t, k);
      const std::size_t width = tags_.size() + 1;
      slots.slot.push_back(
          after.empty() ? kNone : static_cast<std::uint32_t>(slot_.size() / width));
      slot_.insert(slot_.end(), after.begin(), after.end());
    }
  }

  void add_tag_features(std::size_t t, std::uint32_t previous) {
    add_slots(t);
    for (std::size_t k = 0; k < test_.tag_slots.templates; ++k) {
      const auto after = encoder_.tag_features(t, k);
      if (after.empty()) continue;
      // A previous tag that training lacks has an id of tags_.size() or more and gives no
      // feature. At t = 0 such an id stands for the start of the sentence.
      const bool known = previous < tags_.size() || t == 0;
      if (known && after[previous] != kNone) rows_.add(after[previous]);
    }
  }

  // Widens slot rows to [labels + 1]. Labels that only the test file has give no feature.
  void widen_slots() {
    const std::size_t known = tags_.size();
    const std::size_t added = test_.num_labels() - known;
    for (std::size_t i = 0; i < slot_.size(); i += known + 1) {
      auto& feature = test_.tag_slots.feature;
      feature.insert(feature.end(), slot_.begin() + static_cast<std::ptrdiff_t>(i),
                     slot_.begin() + static_cast<std::ptrdiff_t>(i + known));
      feature.insert(feature.end(), added, kNone);
      feature.push_back(slot_[i + known]);
    }
  }

  std::vector<std::string> tags_;
  std::uint32_t target_;
  bool spans_;
  Dataset test_;
  SequenceEncoder encoder_;
  RowBuilder rows_;
  std::vector<std::uint32_t> slot_;  // [slots][training labels + 1]
};

}  // namespace

Dataset read_tagged_test(const std::string& path, const Dataset& train,
                         std::uint32_t target, const ReadControl& control) {
  const auto reader = open_sentences(path, sentence_reading(*train.recipe->task, control));
  TestRows rows(train, target);
  std::size_t sentences = 0;
  for (Sentence sentence; reader->next(sentence); ++sentences) {
    rows.add(sentence, sentence.document.empty()
                           ? fmt::format("run {}", sentences / kRunOfSentences)
                           : std::string(sentence.document));
    if (control.texts_of) add_texts(sentence, {}, {}, rows.data());
  }
  Dataset test = rows.finish();
  if (test.num_examples() == 0) {
    throw InputError({path}, "there are no sentences to test on", "give tagged sentences");
  }
  test.sources.push_back({path, reader->sha256(), test.num_examples(),
                          std::string(train.domains().name(target))});
  return test;
}

struct UntaggedRows::Impl {
  TestRows rows;
};

UntaggedRows::UntaggedRows(const Dataset& train, std::uint32_t domain)
    : impl_(new Impl{TestRows(train, domain)}) {}
UntaggedRows::~UntaggedRows() = default;
void UntaggedRows::add(const Sentence& sentence) { impl_->rows.add_untagged(sentence); }
void UntaggedRows::add(std::span<const NamedToken> tokens) {
  impl_->rows.add_untagged(tokens);
}
std::size_t UntaggedRows::size() const { return impl_->rows.data().num_examples(); }
Dataset UntaggedRows::finish() { return impl_->rows.finish(); }

Dataset read_untagged(const std::vector<std::string>& paths, const Dataset& train,
                      std::uint32_t target, const ReadControl& control,
                      UnlabelledNotes& notes) {
  SentenceOptions reading = sentence_reading(*train.recipe->task, control);
  reading.labelled = false;
  reading.tags_optional = true;
  const SentenceFormat trained = reading.format;
  const bool known = trained == SentenceFormat::prose || reading.spans || reading.recase;
  if (!known) {  // new text may come in another form than the tagged sentences
    reading.columns_of = trained;
    reading.format = SentenceFormat::guess;
  }
  UntaggedRows rows(train, target);
  std::vector<SourceFile> sources;
  for (const std::string& path : paths) {
    const std::size_t before = rows.size();
    const auto reader = open_sentences(path, reading);
    for (Sentence sentence; reader->next(sentence);) {
      notes.labelled += !sentence.tags.empty() && !reading.recase;
      rows.add(sentence);
    }
    sources.push_back({path, reader->sha256(), rows.size() - before,
                       std::string(train.domains().name(target)), true});
  }
  Dataset data = rows.finish();
  data.sources = std::move(sources);
  return data;
}

}  // namespace megadapt
