#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "megadapt/classifier.hpp"
#include "serve/limits.hpp"

namespace megadapt::serve {

/// One row of a request.
struct RequestRow : Example {
  // For task models: a sentence, columns of its tokens, and a span by first and last token.
  std::vector<std::string> tokens = {};
  std::map<std::string, std::vector<std::string>, std::less<>> token_columns = {};
  std::optional<std::size_t> start = {};
  std::optional<std::size_t> end = {};
};

/// The body of /v1/predict and /v1/explain.
struct RowsRequest {
  std::vector<RequestRow> rows = {};
  bool single = true;  ///< the body is one row, so the answer is one object
  std::optional<std::string> label = {};    ///< /v1/explain only
  std::optional<std::string> against = {};  ///< /v1/explain only
  std::size_t top = 0;                      ///< /v1/explain only; 0 means all
};

/// The fields that rows of a model may have besides those of all models.
struct ExtraFields {
  bool sentences = false;  ///< the model is of a task
  /// Lists that may accompany "tokens"; without a task, the columns of the model's recipe.
  std::vector<std::string> columns = {};
};

/// Reads {"features": [...] | {...}} or {"text": "..."}, with "domain" and "id", or
/// {"rows": [...]}. A row of a task model may instead have "tokens", "start", "end" and the
/// extra columns; a row of another model may have its text in extra columns. Throws Refusal
/// for anything else: bad JSON, an unknown field, a value of another type, too many rows.
RowsRequest parse_rows_request(std::string_view body, const Limits& limits, bool explains,
                               const ExtraFields& extra = {});

/// Returns the names of the lists that a row may have besides "tokens", for this task.
std::vector<std::string> sentence_columns(const TaskOptions& task);

/// The sentences of a row with "tokens" (one sentence) or "text". Text is split as by
/// Tagger::predict_text. But it is one sentence, split at white space, if the row also has
/// lists for its tokens, or if the task is about spans; the span is then in [brackets].
struct RowSentences {
  std::vector<Sentence> sentences = {};
  /// Of text: what stands before, between and after the tokens; [tokens + 1] or empty.
  std::vector<std::string> spaces = {};
};

/// Throws Refusal.
RowSentences to_sentences(const RequestRow& row, const Tagger& tagger);

}  // namespace megadapt::serve
