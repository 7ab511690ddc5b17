// JSON Lines: one object per line, parsed without building a document tree.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "corpus/fields.hpp"
#include "corpus/json_row.hpp"
#include "corpus/line_rows.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {
namespace {

class JsonRows final : public LineRows {
 public:
  JsonRows(LineReader lines, const ReadOptions& options)
      : LineRows(std::move(lines), Format::jsonl, options), json_(options) {}

 private:
  bool parse(std::string_view line, Row& row) override {
    if (skip_separators(line).empty()) return false;
    json_.parse(line);
    if (!json_.problem().empty()) fail(json_.problem(), json_.fix());
    if (labelled()) {
      require(JsonField::label, options().columns.label, "label-column");
      if (const auto shares = json_.shares(); !shares.empty()) {
        set_shares(shares, row);
      } else {
        set_label(json_.get(JsonField::label), row,
                  R"(write {"label": ..., "features": ...})");
      }
    }
    if (options().labels_optional && json_.has(JsonField::label)) {
      const auto shares = json_.shares();
      row.label = shares.empty() ? json_.get(JsonField::label) : shares[0].label;
    }
    require(JsonField::domain, options().columns.domain, "domain-column");
    row.domain = json_.get(JsonField::domain);
    row.id = json_.get(JsonField::id);
    row.group = json_.get(JsonField::group);
    if (json_.has(JsonField::weight)) set_weight(json_.get(JsonField::weight), row);
    set_features(row);
    return true;
  }

  // Refuses an object that lacks the field `chosen`, if that field is required.
  void require(JsonField field, const std::optional<std::string>& chosen,
               const char* option) const {
    if (!chosen || !options().needs_column(option) || json_.has(field)) return;
    fail(fmt::format("no field is called \"{}\"", *chosen),
         fmt::format("give every row this field, or --{} another name", option));
  }

  void set_features(Row& row) {
    if (json_.has(JsonField::features)) {
      json_.get_features(row.features);
      row.has_values = json_.features_have_values();
    } else if (json_.has(JsonField::text) || json_.has(JsonField::number) ||
               json_.has(JsonField::category)) {
      row.text = json_.text();
      add_columns(row, [&](const std::string& name) { return json_.column(name); });
    } else if (options().columns.text.empty()) {
      fail("neither \"features\" nor \"text\"",
           R"(write "features": ["a", "b"] or {"a": 1.5}, or "text": "..."; if the text )"
           "has another name, add --text-column NAME");
    } else {
      fail(fmt::format("no field is called \"{}\"",
                       fmt::join(options().columns.text, "\" or \"")),
           "give every row its text");
    }
  }

  JsonRow json_;
};

}  // namespace

std::unique_ptr<RowReader> read_jsonl(LineReader lines, const ReadOptions& options) {
  return std::make_unique<JsonRows>(std::move(lines), options);
}

}  // namespace megadapt::corpus
