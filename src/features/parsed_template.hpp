#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "features/features.hpp"
#include "sentences/attributes.hpp"

namespace megadapt::features {

enum class Source : std::uint8_t { attribute, column, word_class, gazetteer, edge, length };

/// The word that an offset counts from: the current `token`, or a word of the span.
enum class Anchor : std::uint8_t { token, first, last, head, any, all };

/// One part of a template: a property and the token it belongs to.
struct Atom {
  Source source = Source::attribute;
  std::uint8_t index = 0;  ///< Attribute, column, column of classes or gazetteer
  Anchor anchor = Anchor::token;
  int offset = 0;
};

/// `w[-1]|w` becomes two atoms and the prefix `w[-1]|w=`.
struct Template {
  std::string prefix;
  std::vector<Atom> atoms;  ///< without the previous tag
};

}  // namespace megadapt::features

namespace megadapt {

struct FeatureTemplate::Parsed {
  std::string text;
  TemplateScope scope;
  std::vector<features::Template> context;
  std::vector<features::Template> tags;  ///< with the previous tag before their atoms
  std::uint32_t attributes = 0;          ///< bit a: some atom uses Attribute a
};

}  // namespace megadapt
