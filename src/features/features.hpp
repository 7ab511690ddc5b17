#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt {

/// The names that a template may refer to.
struct TemplateScope {
  std::vector<std::string> columns = {};     ///< extra columns of the input, such as `pos`
  std::vector<std::string> gazetteers = {};  ///< their names
  WordClasses classes = {};                  ///< templates name their columns
  bool spans = false;                        ///< rows are marked spans, not tokens
};

/// Parsed feature templates; docs/templates.md describes the language.
class FeatureTemplate {
 public:
  /// `name` is the name of the text in messages. Throws InputError with line and column.
  static FeatureTemplate parse(std::string_view text, const std::string& name,
                               const TemplateScope& scope);
  FeatureTemplate(FeatureTemplate&&) noexcept;
  FeatureTemplate& operator=(FeatureTemplate&&) noexcept;
  ~FeatureTemplate();

  /// Number of templates that use the previous tag.
  std::size_t num_tag_templates() const;
  const std::string& text() const;

  struct Parsed;
  const Parsed& parsed() const { return *parsed_; }

 private:
  explicit FeatureTemplate(std::unique_ptr<Parsed> parsed);
  std::unique_ptr<Parsed> parsed_;
};

/// The text of a built-in set: pos, mention, mention-type, recap, chunk. Throws UsageError
/// with a suggestion for any other name.
std::string_view builtin_features(std::string_view task);
/// The same with templates of the classes, if there are any.
std::string builtin_features(std::string_view task, const WordClasses& classes);
std::vector<std::string> builtin_feature_sets();

/// Receives the features of a sentence, token by token, or of a span as one token.
class FeatureSink {
 public:
  virtual ~FeatureSink() = default;
  /// A feature of the words: `w=dog`, `w[-1]|w=the|dog`. Each name comes once per token.
  virtual void feature(std::string_view name) = 0;
  /// A feature of the previous tag. Its name is `before` + TAG + `after`, for example
  /// `tag[-1]|w=` + `B` + `|dog`; TAG is `<s>` for the first token. `index` is below
  /// num_tag_templates().
  virtual void tag_feature(std::size_t index, std::string_view before,
                           std::string_view after) = 0;
  virtual void end_token() = 0;
};

/// The previous tag of the first token.
inline constexpr std::string_view kSentenceStart = "<s>";
/// The names of exactly those features that use the previous tag begin with this.
inline constexpr std::string_view kTagFeature = "tag[-1]";

/// Makes the names of features. Not thread-safe, because it caches words.
class FeatureExtractor {
 public:
  /// `language` is one of Snowball's ("english", ...), or "none", where `stem` is `lower`.
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
