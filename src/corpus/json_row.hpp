#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

enum class JsonField { label, features, text, domain, weight, id, group, doc, other };

/// One object of a JSON Lines file. Strings are stored in one buffer, which is reused.
class JsonRow {
 public:
  /// `domain_name` is what the field of the domain is called.
  explicit JsonRow(std::string domain_name = "domain")
      : domain_name_(std::move(domain_name)) {}
  /// Parses `line`. Afterwards problem() says what is wrong with it; empty when nothing is.
  void parse(std::string_view line);

  const std::string& problem() const { return problem_; }
  const std::string& fix() const { return fix_; }
  bool has(JsonField field) const { return scalar(field).present; }
  /// The text of a string field, or a number field as text; "" when the field is absent.
  /// Valid until the next parse().
  std::string_view get(JsonField field) const { return view(scalar(field).text); }
  bool features_have_values() const { return values_; }
  void get_features(std::vector<NamedFeature>& features) const;

 private:
  friend class JsonEvents;
  struct Slice {
    std::size_t begin = 0, size = 0;
  };
  struct Scalar {
    Slice text;
    bool present = false;
    bool seen = false;  // present, or null
  };
  struct Feature {
    Slice name;
    float value = 1;
  };

  void reset();
  Slice keep(std::string_view text);
  std::string_view view(Slice slice) const {
    return std::string_view(strings_).substr(slice.begin, slice.size);
  }
  const Scalar& scalar(JsonField field) const {
    return scalars_[static_cast<std::size_t>(field)];
  }

  std::string domain_name_;
  std::string strings_;
  std::array<Scalar, static_cast<std::size_t>(JsonField::other) + 1> scalars_;
  std::vector<Feature> features_;
  bool values_ = false;
  std::string problem_;
  std::string fix_;
};

}  // namespace megadapt::corpus
