#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/sentences.hpp"

namespace megadapt {

/// What the lines of a template may refer to.
struct TemplateScope {
  std::vector<std::string> columns = {};     ///< extra columns of the input, such as `pos`
  std::vector<std::string> gazetteers = {};  ///< their names
  bool spans = false;                        ///< rows are marked spans, not tokens
};

/// The feature templates of docs/templates.md, checked and ready to use.
class FeatureTemplate {
 public:
  /// `name` is what messages call the text. Throws InputError with line and column.
  static FeatureTemplate parse(std::string_view text, const std::string& name,
                               const TemplateScope& scope);
  FeatureTemplate(FeatureTemplate&&) noexcept;
  FeatureTemplate& operator=(FeatureTemplate&&) noexcept;
  ~FeatureTemplate();

  /// Templates with the previous tag.
  std::size_t num_tag_templates() const;
  const std::string& text() const;

  struct Parsed;
  const Parsed& parsed() const { return *parsed_; }

 private:
  explicit FeatureTemplate(std::unique_ptr<Parsed> parsed);
  std::unique_ptr<Parsed> parsed_;
};

/// The text of a built-in set: pos, mention, mention-type, recap, chunk. UsageError with a
/// suggestion for any other name.
std::string_view builtin_features(std::string_view task);
std::vector<std::string> builtin_feature_sets();

/// Receives the features of a sentence, token by token; of a span, once.
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  /// A feature of the words: `w=dog`, `suf3=ing`, `w[-1]|w=the|dog`. Once per token.
  virtual void feature(std::string_view name) = 0;
  /// A feature of the previous tag: its name is `before` + TAG + `after`, where TAG is
  /// `<s>` for the first token: `tag[-1]=` + `B` + ``, `tag[-1]|w=` + `B` + `|dog`.
  /// `index` is below num_tag_templates().
  virtual void tag_feature(std::size_t index, std::string_view before,
                           std::string_view after) = 0;
  virtual void end_token() = 0;
};

/// The previous tag of a first token.
inline constexpr std::string_view kSentenceStart = "<s>";
/// Every feature of the previous tag has a name that begins like this, and no other has.
inline constexpr std::string_view kTagFeature = "tag[-1]";

/// Makes names of features. Not for several threads at once: words are cached.
class FeatureExtractor {
 public:
  /// `language` is one of Snowball's ("english", "german", ...; "none": `stem` is `lower`).
  /// `features` must outlive the extractor. Throws UsageError for an unknown language.
  FeatureExtractor(const FeatureTemplate& features,
                   const std::vector<Gazetteer>& gazetteers,
                   const std::string& language = "english");
  ~FeatureExtractor();
  FeatureExtractor(FeatureExtractor&&) noexcept;

  void extract(const Sentence& sentence, FeatureSink& sink);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace megadapt
