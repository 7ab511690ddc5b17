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
  // Of models of a task: a sentence, lists beside its tokens, a span by first and last
  // token.
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
  std::optional<std::string> against = {};  ///< likewise
  std::size_t top = 0;                      ///< likewise; 0 means all
};

/// Reads {"features": [...] | {...}} or {"text": "..."}, with "domain" and "id", or
/// {"rows": [...]}. With `columns`, which are those of a model of a task, a row may instead
/// have "tokens", "start", "end" and lists of these names. Throws Refusal for anything
/// else: bad JSON, an unknown field, a value of another type, too many rows.
RowsRequest parse_rows_request(std::string_view body, const Limits& limits, bool explains,
                               const std::vector<std::string>* columns = nullptr);

/// The names of the lists beside "tokens" that a row of a model of this task may have.
std::vector<std::string> sentence_columns(const TaskOptions& task);

/// The sentence of a row with "tokens", or with "text", whose tokens are separated by white
/// space and whose span, where the task is about spans, stands in [brackets]. Throws
/// Refusal.
Sentence to_sentence(const RequestRow& row, const Tagger& tagger);

}  // namespace megadapt::serve
