#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "features/features.hpp"

namespace megadapt {

/// Collects features by token; in features of the previous tag, `?` stands for the tag.
class CollectingSink final : public FeatureSink {
 public:
  void feature(std::string_view name) override { row_.emplace_back(name); }
  void tag_feature(std::size_t, std::string_view before, std::string_view after) override {
    row_.push_back(std::string(before) + "?" + std::string(after));
  }
  void end_token() override {
    rows.push_back(std::move(row_));
    row_.clear();
  }
  std::vector<std::vector<std::string>> rows;

 private:
  std::vector<std::string> row_;
};

inline Sentence sentence_of(const std::vector<std::string_view>& tokens,
                            const std::vector<std::string_view>& pos = {}) {
  Sentence sentence;
  sentence.tokens = sentence.forms = tokens;
  if (!pos.empty()) sentence.columns.push_back(pos);
  return sentence;
}

inline std::vector<std::vector<std::string>> extracted(
    const std::string& templates, const Sentence& sentence,
    const std::vector<Gazetteer>& gazetteers = {},
    const std::string& language = "english") {
  TemplateScope scope{.columns = {"pos"}, .spans = sentence.is_span};
  for (const Gazetteer& gazetteer : gazetteers) scope.gazetteers.push_back(gazetteer.name);
  const FeatureTemplate parsed = FeatureTemplate::parse(templates, "t", scope);
  FeatureExtractor extractor(parsed, gazetteers, language);
  CollectingSink sink;
  extractor.extract(sentence, sink);
  return sink.rows;
}

}  // namespace megadapt
