#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

enum class JsonField { label, features, text, domain, weight, id, group, number, category };

/// One object of a JSON Lines file. Strings are stored in one buffer, which is reused.
class JsonRow {
 public:
  /// Fields that `options.columns` names have these names, all others their usual names.
  /// Where an object lacks a chosen field that is not required, the field of the usual name
  /// is read.
  explicit JsonRow(const ReadOptions& options = {});

  /// Parses `line`. Afterwards problem() says what is wrong with it; empty when nothing is.
  void parse(std::string_view line);

  const std::string& problem() const { return problem_; }
  const std::string& fix() const { return fix_; }
  bool has(JsonField field) const { return find(field) != nullptr; }
  /// The text of a string field, or a number field as text; "" when the field is absent.
  /// Valid until the next parse().
  std::string_view get(JsonField field) const;
  /// The text; that of several fields is joined by spaces. Valid until the next call.
  std::string_view text();
  /// The value of a column of numbers or categories, as text.
  std::optional<std::string_view> column(std::string_view name) const;
  /// The labels of a `label` that is an object, with the numbers as they were written:
  /// finite, at least 0 and not all 0. Empty if the label is not an object. Valid until the
  /// next call.
  std::span<const NamedShare> shares();
  bool features_have_values() const { return values_; }
  void get_features(std::vector<NamedFeature>& features) const;

 private:
  friend class JsonEvents;
  struct Slice {
    std::size_t begin = 0, size = 0;
  };
  /// A name that a member of the object may have. The names of one field are in order of
  /// precedence.
  struct Name {
    std::string name;
    JsonField field;
    bool chosen = false;
    Slice text = {};
    bool present = false;
    bool seen = false;  // present, or null
  };
  struct Feature {
    Slice name;
    float value = 1;
  };

  void add_names(JsonField field, const std::vector<std::string>& chosen,
                 std::initializer_list<std::string_view> usual, bool needed);
  const Name* find(JsonField field) const;
  void reset();
  Slice keep(std::string_view text);
  std::string_view view(Slice slice) const {
    return std::string_view(strings_).substr(slice.begin, slice.size);
  }

  std::vector<Name> names_;
  std::string strings_;
  std::string joined_;
  std::vector<Feature> features_;
  std::vector<std::pair<Slice, double>> labels_;
  std::vector<NamedShare> shares_;
  bool values_ = false;
  std::string problem_;
  std::string fix_;
};

}  // namespace megadapt::corpus
