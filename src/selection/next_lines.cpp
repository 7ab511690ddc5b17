// Writes rows to label in the forms that `train` reads once the labels are filled in.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "corpus/columns.hpp"
#include "corpus/text/feature_maker.hpp"
#include "megadapt/selection.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;
using corpus::UsualNames;

/// The names that the columns of a model's input have.
struct OutputNames {
  std::string label, id, group, domain;
  std::vector<std::string> text;

  explicit OutputNames(const ColumnNames& chosen)
      : label(chosen.label.value_or(std::string(UsualNames::kLabel))),
        id(chosen.id.value_or(std::string(UsualNames::kId))),
        group(chosen.group.value_or(std::string(UsualNames::kGroup))),
        domain(chosen.domain.value_or(std::string(UsualNames::kDomain))),
        text(chosen.text) {
    if (text.empty()) text.emplace_back(UsualNames::kText);
  }
};

// Sets a member unless the object has it already: the user may have a column called
// "score".
void add_unless_there(Json& object, const char* name, Json value) {
  if (!object.contains(name)) object[name] = std::move(value);
}

void add_findings(const NextRow& row, Json& object) {
  add_unless_there(object, "row", row.row);
  add_unless_there(object, "score", row.score);
  add_unless_there(object, "reasons", row.reasons);
  add_unless_there(object, "text", row.text);
}

Json features_json(const NextRow& row) {
  Json features = row.has_values ? Json::object() : Json::array();
  for (const auto& [name, value] : row.features) {
    if (!row.has_values) {
      features.push_back(name);
    } else {  // a name that a row repeats counts as the sum
      features[name] = features.value(name, 0.0f) + value;
    }
  }
  return features;
}

Json row_json(const NextRow& row, const Recipe& recipe) {
  const OutputNames names(recipe.columns);
  Json object;
  object[names.label] = nullptr;
  if (!row.id.empty()) object[names.id] = row.id;
  if (!row.group.empty()) object[names.group] = row.group;
  if (!row.domain.empty()) object[names.domain] = row.domain;
  if (row.from_text) {
    object[names.text[0]] = row.text;
    for (const auto& [name, value] : row.columns) object[name] = value;
  } else {
    object["features"] = features_json(row);
  }
  add_findings(row, object);
  return object;
}

Json sentence_json(const NextRow& row) {
  Json object;
  if (!row.id.empty()) object["id"] = row.id;
  if (!row.group.empty()) object["doc"] = row.group;
  object["tokens"] = row.tokens;
  for (const auto& [name, values] : row.token_columns) {
    Json list = Json::array();
    for (const std::string& value : values) list.push_back(value.empty() ? "_" : value);
    object[name] = std::move(list);
  }
  if (row.span) {
    object["start"] = row.span->first;
    object["end"] = row.span->second - 1;  // the last token, in a file
    object["label"] = nullptr;
  } else {
    object["tags"] = nullptr;
  }
  add_findings(row, object);
  return object;
}

std::string csv_text(std::string_view text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string_view::npos &&
                     corpus::trimmed(text).size() == text.size();
  if (plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A table with the columns of the model's input, and columns that say why each row was
/// chosen.
class NextTable {
 public:
  explicit NextTable(const Recipe& recipe) : names_(recipe.columns) {
    const ColumnNames& chosen = recipe.columns;
    add(names_.label);
    for (const std::string& name : names_.text) add(name);
    for (const std::string& name : corpus::feature_columns(chosen)) add(name);
    for (const std::string& name : {names_.id, names_.group, names_.domain}) add(name);
    if (chosen.weight) add(*chosen.weight);
    for (const char* name : {"row", "score", "reasons"}) add(name);
  }

  std::string text(const NextBatch& batch) const {
    std::string out = line(columns_);
    for (const NextRow& row : batch.chosen) out += line(fields(row));
    return out;
  }

 private:
  void add(const std::string& name) {
    if (std::ranges::find(columns_, name) == columns_.end()) columns_.push_back(name);
  }

  static std::string line(const std::vector<std::string>& fields) {
    std::vector<std::string> quoted;
    for (const std::string& field : fields) quoted.push_back(csv_text(field));
    return fmt::format("{}\n", fmt::join(quoted, ","));
  }

  // If two values have the same name, the first one is kept.
  std::vector<std::string> fields(const NextRow& row) const {
    std::map<std::string, std::string> value;
    value.emplace(names_.label, "");
    value.emplace(names_.text[0], row.text);
    for (const auto& [name, text] : row.columns) value.emplace(name, text);
    value.emplace(names_.id, row.id);
    value.emplace(names_.group, row.group);
    value.emplace(names_.domain, row.domain);
    value.emplace("row", fmt::format("{}", row.row));
    value.emplace("score", fmt::format("{:.4f}", row.score));
    value.emplace("reasons", fmt::format("{}", fmt::join(row.reasons, "; ")));
    std::vector<std::string> all;
    for (const std::string& name : columns_) all.push_back(value[name]);
    return all;
  }

  OutputNames names_;
  std::vector<std::string> columns_;
};

// The last column, the tag, stays empty; `train` refuses a tag that nobody filled in.
std::string conll_text(const NextRow& row) {
  std::string out;
  if (!row.group.empty()) out += fmt::format("# doc = {}\n\n", row.group);
  if (!row.id.empty()) out += fmt::format("# sent_id = {}\n", row.id);
  out += fmt::format("# row = {}\n# score = {:.4f}\n# reasons = {}\n", row.row, row.score,
                     fmt::join(row.reasons, "; "));
  for (std::size_t t = 0; t < row.tokens.size(); ++t) {
    out += row.tokens[t];
    for (const auto& [name, values] : row.token_columns) {
      out += '\t';
      out += values[t].empty() ? "_" : values[t];
    }
    out += "\t\n";
  }
  return out + "\n";
}

[[noreturn]] void refuse_form(const char* form, const char* what) {
  throw UsageError(fmt::format("--to {}: {}", form, what), "use --to jsonl");
}

void check_form(const NextBatch& batch, const Recipe& recipe, NextForm form) {
  const bool task = recipe.task.has_value();
  const bool tags = task && !recipe.task->spans() && recipe.task_name() != "recap";
  if (form == NextForm::csv && task) refuse_form("csv", "sentences do not fit in a table");
  if (form == NextForm::conll && !tags) {
    refuse_form("conll", "the rows are not sentences with a tag per token");
  }
  if (form == NextForm::text && recipe.task_name() != "recap") {
    refuse_form("text", "lines of text have no place for labels");
  }
  if (form != NextForm::csv) return;
  for (const NextRow& row : batch.chosen) {
    if (!row.from_text) refuse_form("csv", "the rows have features instead of a text");
  }
}

}  // namespace

std::string next_lines(const NextBatch& batch, const Recipe& recipe, NextForm form) {
  check_form(batch, recipe, form);
  if (form == NextForm::csv) return NextTable(recipe).text(batch);
  std::string out;
  for (const NextRow& row : batch.chosen) {
    if (form == NextForm::conll) {
      out += conll_text(row);
    } else if (form == NextForm::text) {
      out += row.text + "\n";
    } else {
      out += json_text(recipe.task ? sentence_json(row) : row_json(row, recipe)) + "\n";
    }
  }
  return out;
}

}  // namespace megadapt
