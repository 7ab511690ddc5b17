// JSON Lines: one object per line, parsed without building a document tree.

#include <fmt/format.h>

#include <utility>

#include "corpus/fields.hpp"
#include "corpus/json_row.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"
#include "corpus/text_features.hpp"

namespace megadapt::corpus {
namespace {

class JsonRows final : public LineRows {
 public:
  JsonRows(LineReader lines, const ReadOptions& options)
      : LineRows(std::move(lines), Format::jsonl, options),
        domain_name_(options.columns.domain.value_or("domain")),
        needs_domain_(options.needs_columns && options.columns.domain),
        json_(domain_name_),
        text_features_(options.text) {}

 private:
  bool parse(std::string_view line, Row& row) override {
    if (skip_separators(line).empty()) return false;
    json_.parse(line);
    if (!json_.problem().empty()) fail(json_.problem(), json_.fix());
    if (labelled()) {
      set_label(json_.get(JsonField::label), row,
                R"(write {"label": ..., "features": ...})");
    }
    if (needs_domain_ && !json_.has(JsonField::domain)) {
      fail(fmt::format("no field is called \"{}\"", domain_name_),
           "give every row this field, or --domain-column another name");
    }
    row.domain = json_.get(JsonField::domain);
    row.id = json_.get(JsonField::id);
    row.group = json_.get(json_.has(JsonField::group) ? JsonField::group : JsonField::doc);
    if (json_.has(JsonField::weight)) set_weight(json_.get(JsonField::weight), row);
    set_features(row);
    return true;
  }

  void set_features(Row& row) {
    if (json_.has(JsonField::features)) {
      json_.get_features(row.features);
      row.has_values = json_.features_have_values();
    } else if (json_.has(JsonField::text)) {
      text_features_.extract(json_.get(JsonField::text), row.features);
    } else {
      fail("neither \"features\" nor \"text\"",
           R"(write "features": ["a", "b"] or {"a": 1.5}, or "text": "...")");
    }
  }

  std::string domain_name_;
  bool needs_domain_;
  JsonRow json_;
  TextFeatures text_features_;
};

}  // namespace

std::unique_ptr<RowReader> read_jsonl(LineReader lines, const ReadOptions& options) {
  return std::make_unique<JsonRows>(std::move(lines), options);
}

}  // namespace megadapt::corpus
