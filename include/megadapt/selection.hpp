#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/classifier.hpp"
#include "megadapt/execution.hpp"
#include "megadapt/model.hpp"

namespace megadapt {

/// What a model says about a row without a label, and how much its label would teach.
struct Judgement {
  double uncertainty = 0;   ///< 1 - (p of the best label - p of the second best), in [0, 1]
  double disagreement = 0;  ///< total variation distance of two experts, in [0, 1]
  double change = 0;        ///< expected length of the gradient, E_y |p - e_y| |x|
  double score = 0;         ///< combines the three; see RowJudge
  std::uint32_t first = 0;  ///< the best label
  std::uint32_t second = 0;
  double p_first = 0;
  double p_second = 0;
  struct Opinion {
    std::uint32_t expert = 0;  ///< as in RowJudge::expert_name()
    std::uint32_t label = 0;
  };
  /// What the two experts say, if they say different labels.
  std::optional<std::pair<Opinion, Opinion>> opinions = {};
};

/// Judges rows without labels by a model. Not for several threads at once.
///
///     RowJudge judge(*model.predictor, parts_of(model), target);
///     const double score = judge(data.rows[0]).score;
///
///   score = uncertainty (1 + disagreement) sqrt(change)
///
/// A model without parts (one linear model) has no disagreement.
class RowJudge {
 public:
  /// `predictor` must outlive the judge, and `parts` are its parts.
  RowJudge(const Predictor& predictor, const ModelPart& parts, std::uint32_t domain);
  Judgement operator()(RowView row);
  /// The same when p(label | row) is known, such as a token's given its sentence.
  Judgement operator()(RowView row, std::span<const double> probability);
  /// "general", or the name of a domain, member or source.
  const std::string& expert_name(std::uint32_t expert) const {
    return experts_[expert].name;
  }

 private:
  struct Expert {
    std::string name;
    const Predictor* predictor;
    std::uint32_t domain;
  };
  void find_experts(const ModelPart& part, std::uint32_t domain);
  void compare_experts(RowView row, Judgement& judgement);

  const Predictor& predictor_;
  std::uint32_t domain_;
  std::vector<Expert> experts_;
  std::vector<double> probability_;  // [Y]
  std::vector<double> opinions_;     // [experts][Y]
};

/// The judgement of a sentence: that of its most instructive token, and a score of its own,
/// the sum of the tokens' scores divided by (tokens + 2). Labelling costs time for every
/// token, so a sentence must teach much per token. The 2 keeps fragments of a single token
/// from coming first.
struct SentenceJudgement {
  double score = 0;
  std::size_t token = 0;
  Judgement of_token = {};
};

/// The features of rows as hashes, to tell which rows are alike.
class FeatureSets {
 public:
  static std::uint32_t hash(std::string_view name, float value = 1);
  static std::uint32_t hash(std::uint32_t feature, float value = 1);
  /// Adds a row; the hashes may repeat and have any order.
  void add(std::vector<std::uint32_t> hashes);
  std::size_t size() const { return begin_.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t row) const {
    return std::span(hash_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }

 private:
  std::vector<std::size_t> begin_{0};
  std::vector<std::uint32_t> hash_;  // ascending and unique within a row
};

/// A row of a batch to label.
struct Choice {
  std::size_t row = 0;
  double score = 0;      ///< its own, times 1 - similarity to the rows chosen before it
  std::size_t like = 0;  ///< number of other rows that are similar, copies included
};

/// Chooses rows one after another by score (1 - similarity), where similarity is the
/// largest cosine with a row chosen before. Of rows that are (nearly) the same, just one is
/// chosen. Stops when the cost of the chosen rows reaches `budget`; `cost` is [rows], or
/// empty if each row costs 1. The set does not depend on the order of the rows, except that
/// of equal rows the first is taken.
std::vector<Choice> choose_rows(std::span<const double> score, const FeatureSets& rows,
                                std::size_t budget, std::span<const std::size_t> cost = {});

/// A row or sentence to label next, with all that is needed to write it out again.
struct NextRow {
  std::size_t row = 0;                    ///< among the rows or sentences given, from 1
  double score = 0;                       ///< as in Choice
  std::vector<std::string> reasons = {};  ///< in plain words
  std::string text = {};  ///< a readable form; the text of a row that has one
  std::string id = {};
  std::string group = {};
  std::string domain = {};  ///< as the row names it
  bool from_text = false;
  /// The columns of numbers and categories of the model, with their values.
  std::vector<std::pair<std::string, std::string>> columns = {};
  NamedFeatures features = {};  ///< of a row without text or columns
  bool has_values = false;
  std::vector<std::string> tokens = {};  ///< of a sentence
  /// Columns other than token and tag: [tokens] each, "" where a value is not known.
  std::vector<std::pair<std::string, std::vector<std::string>>> token_columns = {};
  std::optional<std::pair<std::size_t, std::size_t>> span = {};  ///< half open
};

struct NextBatch {
  std::vector<NextRow> chosen;
  std::size_t rows = 0;            ///< number of rows or sentences to choose from
  std::size_t labels = 0;          ///< number of labels of the batch: rows, or tokens
  UnknownDomains unknown_domains;  ///< among the rows of a file
};

/// Chooses the rows of a file, or the examples, whose labels would teach the model most:
/// RowJudge scores them, choose_rows() makes the batch diverse. Labels are not read.
///
///     const auto classifier = Classifier::load("m.mega");
///     const NextBatch batch = next_rows(classifier, "pool.csv", {}, 100, exec);
///
/// All rows are held in memory. The result does not depend on the number of threads.
NextBatch next_rows(const Classifier& classifier, const std::string& path,
                    const OpenOptions& options, std::size_t budget, const Execution& exec);
NextBatch next_rows(const Classifier& classifier, std::span<const Example> examples,
                    std::size_t budget, const Execution& exec);
/// The same for sentences: `budget` is their number.
NextBatch next_sentences(const Tagger& tagger, const std::string& path,
                         const OpenOptions& options, std::size_t budget,
                         const Execution& exec);
NextBatch next_sentences(const Tagger& tagger, std::span<const TokenList> lists,
                         std::size_t budget, const Execution& exec);

/// How a batch is written: as `train` reads it once the labels are filled in.
enum class NextForm { jsonl, csv, conll, text };

/// Writes a batch for a model of `recipe`. JSON Lines hold everything; `csv` needs rows of
/// text or columns, `conll` sentences with tags, and `text` sentences of recap. Throws
/// UsageError for a form that cannot hold these rows.
std::string next_lines(const NextBatch& batch, const Recipe& recipe, NextForm form);

}  // namespace megadapt
