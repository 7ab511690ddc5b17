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
  std::map<std::string, std::vector<std::string>, std::less<>> columns = {};
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

/// Reads {"features": [...] | {...}} or {"text": "..."}, with "domain" and "id", or
/// {"rows": [...]}. With `columns` (for task models) a row may instead have "tokens",
/// "start", "end" and lists with these names. Throws Refusal for anything else: bad JSON,
/// an unknown field, a value of another type, too many rows.
RowsRequest parse_rows_request(std::string_view body, const Limits& limits, bool explains,
                               const std::vector<std::string>* columns = nullptr);

/// Returns the names of the lists that a row may have besides "tokens", for this task.
std::vector<std::string> sentence_columns(const TaskOptions& task);

/// Returns the sentence of a row with "tokens" or "text". Text is split at white space; if
/// the task is about spans, the span is in [brackets]. Throws Refusal.
Sentence to_sentence(const RequestRow& row, const Tagger& tagger);

}  // namespace megadapt::serve
