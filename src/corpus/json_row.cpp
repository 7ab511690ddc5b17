#include "corpus/json_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/messages.hpp"
#include "corpus/columns.hpp"
#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

using nlohmann::json;

constexpr std::string_view kNumber = "a number";
constexpr std::string_view kString = "a string";

std::vector<std::string> list_of(const std::optional<std::string>& name) {
  return name ? std::vector<std::string>{*name} : std::vector<std::string>{};
}

bool fits(JsonField field, std::string_view type) {
  if (field == JsonField::features) return false;
  if (field == JsonField::weight) return type == kNumber;
  if (field == JsonField::category) return true;
  return type == kString || (field != JsonField::text && type == kNumber);
}

std::string_view wanted_type(JsonField field) {
  switch (field) {
    case JsonField::features:
      return R"(["a", "b"] or {"a": 1.5})";
    case JsonField::label:
      return R"(a string, a number or {"a": 0.8, "b": 0.2})";
    case JsonField::weight:
      return kNumber;
    case JsonField::text:
      return kString;
    default:
      return "a string or a number";
  }
}

}  // namespace

/// Receives the parts of an object as the parser finds them. Each function returns false to
/// stop parsing at a problem. `depth_` is 1 inside the object and 2 inside its features.
class JsonEvents final : public json::json_sax_t {
 public:
  explicit JsonEvents(JsonRow& row) : row_(row) {}

  bool null() override {
    if (depth_ == 1) return true;  // treat the field as absent
    if (inside_label()) return refuse_share();
    return inside_features() ? refuse_feature() : depth_ > 0 || refuse_top();
  }
  bool boolean(bool value) override {
    return scalar("true or false", value ? "true" : "false");
  }
  bool number_integer(std::int64_t number) override {
    return scalar(kNumber, fmt::format_int(number).c_str());
  }
  bool number_unsigned(std::uint64_t number) override {
    return scalar(kNumber, fmt::format_int(number).c_str());
  }
  bool number_float(double, const std::string& text) override {
    return scalar(kNumber, text);
  }
  bool string(std::string& text) override { return scalar(kString, text); }
  bool binary(json::binary_t&) override { return true; }  // JSON text has none

  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    if (inside_features()) {
      if (name.empty()) return refuse_empty_name();
      name_ = row_.keep(name);
    } else if (inside_label()) {
      name_ = row_.keep(name);
    } else if (depth_ == 1) {
      return start_field(name);
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const json::exception& error) override {
    if (error.id == 406) {  // nlohmann: the number is too large for a double
      return refuse("a number is too large", "write finite numbers of a usual size");
    }
    return refuse(fmt::format("not valid JSON at byte {}", position),
                  "write one JSON object per line");
  }

 private:
  // One name may stand for several fields, such as `id` and `group`.
  bool start_field(const std::string& name) {
    current_.clear();
    for (JsonRow::Name& known : row_.names_) {
      if (known.name != name) continue;
      if (known.seen) return refuse(fmt::format("\"{}\" occurs twice", name), "keep one");
      known.seen = true;
      current_.push_back(&known);
    }
    return true;
  }
  bool is_features() const {
    return !current_.empty() && current_[0]->field == JsonField::features;
  }
  bool inside_features() const { return depth_ == 2 && is_features(); }
  bool is_label() const {
    return current_.size() == 1 && current_[0]->field == JsonField::label;
  }
  bool inside_label() const { return depth_ == 2 && is_label(); }

  bool open(bool object) {
    if (depth_ == 0 && !object) return refuse_top();
    if (depth_ == static_cast<int>(kDeepestJson)) {
      return refuse("the JSON is nested too deeply",
                    "leave out what is not a field of rows");
    }
    if (inside_features()) return refuse_feature();
    if (inside_label()) return refuse_share();
    if (depth_ == 1 && is_label() && object) {
      current_[0]->present = true;
    } else if (depth_ == 1 && is_features()) {
      current_[0]->present = true;
      row_.values_ = object;
    } else if (depth_ == 1 && !current_.empty()) {
      return refuse_type(*current_[0], object ? "an object" : "an array");
    }
    ++depth_;
    return true;
  }
  bool close() {
    if (inside_label() && !has_share()) {
      return refuse("no label has a probability above 0",
                    R"(write "label": {"a": 0.8, "b": 0.2}, or "label": "a")");
    }
    --depth_;
    return true;
  }
  bool has_share() const {
    return std::ranges::any_of(row_.labels_,
                               [](const auto& label) { return label.second > 0; });
  }

  bool scalar(std::string_view type, std::string_view text) {
    if (depth_ == 0) return refuse_top();
    if (inside_features()) return feature(type, text);
    if (inside_label()) return label(type, text);
    if (depth_ > 1) return true;
    for (JsonRow::Name* name : current_) {
      if (!fits(name->field, type)) return refuse_type(*name, type);
      name->present = true;
      name->text = row_.keep(text);
    }
    return true;
  }

  bool feature(std::string_view type, std::string_view text) {
    if (!row_.values_) {
      if (type != kString) return refuse_feature();
      if (text.empty()) return refuse_empty_name();
      row_.features_.push_back({row_.keep(text), 1});
      return true;
    }
    if (type != kNumber) return refuse_feature();
    float value = 0;
    if (const char* problem = parse_value(text, value)) {
      return refuse(fmt::format("the value '{}' of feature '{}' {}", excerpt(text),
                                excerpt(row_.view(name_)), problem),
                    "write a finite number such as 1, -0.5 or 2e-3");
    }
    row_.features_.push_back({name_, value});
    return true;
  }

  bool label(std::string_view type, std::string_view text) {
    double share = 0;
    if (type != kNumber || parse_weight(text, share)) return refuse_share();
    const std::string_view name = row_.view(name_);
    for (const auto& [known, number] : row_.labels_) {
      if (row_.view(known) != name) continue;
      return refuse(fmt::format("the label '{}' occurs twice", excerpt(name)), "keep one");
    }
    row_.labels_.emplace_back(name_, share);
    return true;
  }

  bool refuse(std::string problem, std::string fix) {
    row_.problem_ = std::move(problem);
    row_.fix_ = std::move(fix);
    return false;
  }
  bool refuse_top() {
    return refuse("not a JSON object",
                  R"(write {"label": ..., "features": ...} on each line)");
  }
  bool refuse_type(const JsonRow::Name& name, std::string_view type) {
    return refuse(fmt::format("\"{}\" is {}", name.name, type),
                  fmt::format("write {} as {}", name.name, wanted_type(name.field)));
  }
  bool refuse_feature() {
    if (row_.values_) {
      return refuse(fmt::format("feature '{}' has no number", excerpt(row_.view(name_))),
                    R"(write "features": {"name": 1.5})");
    }
    return refuse("the list of features holds something that is not a string",
                  R"(write "features": ["a", "b"], or {"a": 1.5} for values)");
  }
  bool refuse_share() {
    return refuse(fmt::format("the probability of the label '{}' is not a finite number "
                              "of at least 0",
                              excerpt(row_.view(name_))),
                  R"(write "label": {"a": 0.8, "b": 0.2})");
  }
  bool refuse_empty_name() {
    return refuse("a feature has an empty name", "give every feature a name");
  }

  JsonRow& row_;
  int depth_ = 0;
  std::vector<JsonRow::Name*> current_;  // what the current key of the object stands for
  JsonRow::Slice name_;
};

JsonRow::JsonRow(const ReadOptions& options) {
  using Usual = UsualNames;
  const ColumnNames& chosen = options.columns;
  const auto add = [&](JsonField field, std::string_view option,
                       const std::vector<std::string>& names,
                       std::initializer_list<std::string_view> usual) {
    add_names(field, names, usual, options.needs_column(option));
  };
  add_names(JsonField::features, {}, {"features"}, true);
  add(JsonField::label, "label-column", list_of(chosen.label), {Usual::kLabel});
  add(JsonField::text, "text-column", chosen.text, {Usual::kText});
  add(JsonField::domain, "domain-column", list_of(chosen.domain), {Usual::kDomain});
  add(JsonField::weight, "weight-column", list_of(chosen.weight), {Usual::kWeight});
  add(JsonField::id, "id-column", list_of(chosen.id), {Usual::kId});
  add(JsonField::group, "group-column", list_of(chosen.group),
      {Usual::kGroup, Usual::kDocument});
  add_names(JsonField::number, chosen.numbers, {}, true);
  add_names(JsonField::category, chosen.categories, {}, true);
}

void JsonRow::add_names(JsonField field, const std::vector<std::string>& chosen,
                        std::initializer_list<std::string_view> usual, bool needed) {
  for (const std::string& name : chosen) names_.push_back({name, field, true});
  if (!chosen.empty() && needed) return;
  for (const std::string_view name : usual) {
    if (std::ranges::find(chosen, name) == chosen.end()) {
      names_.push_back({std::string(name), field});
    }
  }
}

const JsonRow::Name* JsonRow::find(JsonField field) const {
  const auto found = std::ranges::find_if(
      names_, [&](const Name& name) { return name.field == field && name.present; });
  return found == names_.end() ? nullptr : &*found;
}

std::string_view JsonRow::get(JsonField field) const {
  const Name* name = find(field);
  return name ? view(name->text) : std::string_view();
}

std::optional<std::string_view> JsonRow::column(std::string_view name) const {
  const auto found = std::ranges::find_if(names_, [&](const Name& own) {
    return own.present && own.name == name &&
           (own.field == JsonField::number || own.field == JsonField::category);
  });
  if (found == names_.end()) return std::nullopt;
  return view(found->text);
}

std::string_view JsonRow::text() {
  const Name* first = find(JsonField::text);
  if (!first) return {};
  joined_ = view(first->text);
  for (const Name& name : names_) {
    if (&name == first || name.field != JsonField::text) continue;
    if (!name.present || !name.chosen || !first->chosen) continue;
    joined_ += ' ';
    joined_ += view(name.text);
  }
  return joined_;
}

std::span<const NamedShare> JsonRow::shares() {
  shares_.clear();
  for (const auto& [name, share] : labels_) shares_.push_back({view(name), share});
  return shares_;
}

void JsonRow::parse(std::string_view line) {
  reset();
  JsonEvents events(*this);
  json::sax_parse(line.begin(), line.end(), &events);
}

void JsonRow::get_features(std::vector<NamedFeature>& features) const {
  features.resize(features_.size());
  for (std::size_t i = 0; i < features_.size(); ++i) {
    features[i] = {view(features_[i].name), features_[i].value};
  }
}

void JsonRow::reset() {
  strings_.clear();
  for (Name& name : names_) {
    name.text = {};
    name.present = name.seen = false;
  }
  features_.clear();
  labels_.clear();
  values_ = false;
  problem_.clear();
  fix_.clear();
}

JsonRow::Slice JsonRow::keep(std::string_view text) {
  const Slice slice{strings_.size(), text.size()};
  strings_ += text;
  return slice;
}

}  // namespace megadapt::corpus
