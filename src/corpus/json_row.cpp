#include "corpus/json_row.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/messages.hpp"
#include "corpus/fields.hpp"

namespace megadapt::corpus {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 8> kNames = {"label",  "features", "text",  "domain",
                                                    "weight", "id",       "group", "doc"};

constexpr std::string_view kNumber = "a number";
constexpr std::string_view kString = "a string";

JsonField field_of(std::string_view key, std::string_view domain_name) {
  if (key == domain_name) return JsonField::domain;
  if (key == "domain") return JsonField::other;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == key) return static_cast<JsonField>(i);
  }
  return JsonField::other;
}

}  // namespace

/// Receives the parts of an object as the parser finds them. Each function returns false to
/// stop parsing at a problem. `depth_` is 1 inside the object and 2 inside its features.
class JsonEvents final : public json::json_sax_t {
 public:
  explicit JsonEvents(JsonRow& row) : row_(row) {}

  bool null() override {
    if (depth_ == 1) return true;  // treat the field as absent
    return inside_features() ? refuse_feature() : depth_ > 0 || refuse_top();
  }
  bool boolean(bool) override { return scalar("true or false", {}); }
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
    } else if (depth_ == 1) {
      field_ = field_of(name, row_.domain_name_);
      if (field_ == JsonField::other) return true;
      if (current().seen)
        return refuse(fmt::format("\"{}\" occurs twice", name), "keep one");
      current().seen = true;
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
  JsonRow::Scalar& current() { return row_.scalars_[static_cast<std::size_t>(field_)]; }
  bool inside_features() const { return depth_ == 2 && field_ == JsonField::features; }

  bool open(bool object) {
    if (depth_ == 0 && !object) return refuse_top();
    if (depth_ == static_cast<int>(kDeepestJson)) {
      return refuse("the JSON is nested too deeply",
                    "leave out what is not a field of rows");
    }
    if (inside_features()) return refuse_feature();
    if (depth_ == 1 && field_ == JsonField::features) {
      current().present = true;
      row_.values_ = object;
    } else if (depth_ == 1 && field_ != JsonField::other) {
      return refuse_type(object ? "an object" : "an array");
    }
    ++depth_;
    return true;
  }
  bool close() {
    --depth_;
    return true;
  }

  bool scalar(std::string_view type, std::string_view text) {
    if (depth_ == 0) return refuse_top();
    if (inside_features()) return feature(type, text);
    if (depth_ > 1 || field_ == JsonField::other) return true;
    const bool number = type == kNumber;
    const bool fits = field_ == JsonField::weight ? number
                      : field_ == JsonField::text ? type == kString
                                                  : number || type == kString;
    if (!fits || field_ == JsonField::features) return refuse_type(type);
    current().present = true;
    current().text = row_.keep(text);
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

  bool refuse(std::string problem, std::string fix) {
    row_.problem_ = std::move(problem);
    row_.fix_ = std::move(fix);
    return false;
  }
  bool refuse_top() {
    return refuse("not a JSON object",
                  R"(write {"label": ..., "features": ...} on each line)");
  }
  bool refuse_type(std::string_view type) {
    const std::string_view name = field_ == JsonField::domain
                                      ? std::string_view(row_.domain_name_)
                                      : kNames[static_cast<std::size_t>(field_)];
    const std::string_view wanted = field_ == JsonField::features
                                        ? R"(["a", "b"] or {"a": 1.5})"
                                    : field_ == JsonField::weight ? "a number"
                                    : field_ == JsonField::text   ? "a string"
                                                                  : "a string or a number";
    return refuse(fmt::format("\"{}\" is {}", name, type),
                  fmt::format("write {} as {}", name, wanted));
  }
  bool refuse_feature() {
    if (row_.values_) {
      return refuse(fmt::format("feature '{}' has no number", excerpt(row_.view(name_))),
                    R"(write "features": {"name": 1.5})");
    }
    return refuse("the list of features holds something that is not a string",
                  R"(write "features": ["a", "b"], or {"a": 1.5} for values)");
  }
  bool refuse_empty_name() {
    return refuse("a feature has an empty name", "give every feature a name");
  }

  JsonRow& row_;
  int depth_ = 0;
  JsonField field_ = JsonField::other;
  JsonRow::Slice name_;
};

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
  scalars_.fill({});
  features_.clear();
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
