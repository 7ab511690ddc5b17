// The template language: features separated by spaces, their parts joined by '|'.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <utility>

#include "base/messages.hpp"
#include "features/features.hpp"
#include "features/parsed_template.hpp"

namespace megadapt {
namespace features {
namespace {

constexpr int kFarthest = 50;
constexpr std::size_t kMostAtoms = 8;
constexpr std::size_t kMostTemplates = 1000;

constexpr std::array<std::string_view, 6> kAnchorNames = {"",     "first", "last",
                                                          "head", "any",   "all"};

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
}

struct Position {
  Anchor anchor = Anchor::token;
  int offset = 0;
};

/// An atom as written: `name[from..to]`, or the previous tag.
struct Part {
  bool is_tag = false;
  Source source = Source::attribute;
  std::vector<std::uint8_t> indices;  // `gaz` stands for all gazetteers
  std::string name;
  Position from, to;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, const TemplateScope& scope)
      : file_(file), rest_(text) {
    parsed_ = std::make_unique<FeatureTemplate::Parsed>();
    parsed_->text = text;
    parsed_->scope = scope;
  }

  std::unique_ptr<FeatureTemplate::Parsed> run() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      ++line_number_;
      parse_line();
    }
    if (parsed_->context.empty() && parsed_->tags.empty()) {
      throw InputError({file_}, "holds no features",
                       "write templates such as: w w[-1] suf3");
    }
    return std::move(parsed_);
  }

 private:
  void parse_line() {
    for (at_ = 0;;) {
      while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
      if (at_ == line_.size() || line_[at_] == '#') return;
      parse_feature();
    }
  }

  void parse_feature() {
    std::vector<Part> parts;
    for (;;) {
      parts.push_back(parse_part());
      if (parts.size() > kMostAtoms) fail(at_, "more than 8 parts in one feature", "");
      if (at_ < line_.size() && line_[at_] == '|') {
        ++at_;
        continue;
      }
      if (at_ == line_.size() || line_[at_] == ' ' || line_[at_] == '\t') break;
      fail(at_, fmt::format("'{}' where '|' or a space was expected", shown(at_)),
           "separate features by spaces and the parts of one feature by '|'");
    }
    std::vector<std::pair<std::string, Atom>> atoms;
    bool tag = false;
    for (const Part& part : parts) tag |= part.is_tag;
    expand(parts, 0, atoms, tag);
  }

  Part parse_part() {
    const std::size_t start = at_;
    while (at_ < line_.size() && is_name_character(line_[at_])) ++at_;
    if (at_ == start) {
      fail(at_,
           at_ == line_.size() ? "a name is missing at the end of the line"
                               : fmt::format("'{}' where a name was expected", shown(at_)),
           "write NAME or NAME[OFFSET], for example w[-1]|suf3");
    }
    Part part;
    part.name = line_.substr(start, at_ - start);
    find_name(part, start);
    if (parsed_->scope.spans && part.source != Source::length) {
      part.from.anchor = part.to.anchor = Anchor::head;
    }
    const bool bracket = at_ < line_.size() && line_[at_] == '[';
    if (bracket) parse_positions(part);
    check_part(part, start);
    return part;
  }

  void find_name(Part& part, std::size_t start) {
    const auto attribute = std::ranges::find(kAttributeNames, part.name);
    const auto& columns = parsed_->scope.columns;
    const auto column = std::ranges::find(columns, part.name);
    const auto classes = parsed_->scope.classes.columns();
    const auto word_class = std::ranges::find(classes, part.name);
    if (part.name == "tag") {
      part.is_tag = true;
    } else if (attribute != kAttributeNames.end()) {
      part.indices = {static_cast<std::uint8_t>(attribute - kAttributeNames.begin())};
    } else if (part.name == "edge" || part.name == "length") {
      part.source = part.name == "edge" ? Source::edge : Source::length;
      part.indices = {0};
    } else if (part.name == "gaz" || part.name.starts_with("gaz.")) {
      find_gazetteer(part, start);
    } else if (column != columns.end()) {
      part.source = Source::column;
      part.indices = {static_cast<std::uint8_t>(column - columns.begin())};
    } else if (word_class != classes.end()) {
      part.source = Source::word_class;
      part.indices = {static_cast<std::uint8_t>(word_class - classes.begin())};
    } else {
      fail_unknown(part.name, start);
    }
  }

  void find_gazetteer(Part& part, std::size_t start) {
    const auto& names = parsed_->scope.gazetteers;
    part.source = Source::gazetteer;
    if (part.name == "gaz") {
      for (std::size_t g = 0; g < names.size(); ++g) {
        part.indices.push_back(static_cast<std::uint8_t>(g));
      }
      return;
    }
    const auto found = std::ranges::find(names, part.name.substr(4));
    if (found == names.end()) {
      fail(start, fmt::format("no gazetteer is called '{}'", part.name.substr(4)),
           "give it with --gazetteer NAME=FILE");
    }
    part.indices = {static_cast<std::uint8_t>(found - names.begin())};
  }

  [[noreturn]] void fail_unknown(const std::string& name, std::size_t start) const {
    std::vector<std::string> known(kAttributeNames.begin(), kAttributeNames.end());
    for (const std::string_view other : {"tag", "gaz", "edge", "length"}) {
      known.emplace_back(other);
    }
    const auto& columns = parsed_->scope.columns;
    known.insert(known.end(), columns.begin(), columns.end());
    const auto classes = parsed_->scope.classes.columns();
    known.insert(known.end(), classes.begin(), classes.end());
    fail(start,
         fmt::format("neither a feature nor a column of the input is called '{}'", name),
         suggest(
             name, known,
             fmt::format(
                 "the columns are: {}; name others with --columns",
                 columns.empty() ? "none" : fmt::format("{}", fmt::join(columns, ", ")))));
  }

  void parse_positions(Part& part) {
    ++at_;
    const std::size_t start = at_;
    part.from = part.to = parse_position();
    if (line_.substr(at_).starts_with("..")) {
      at_ += 2;
      part.to = parse_position();
    }
    if (at_ == line_.size() || line_[at_] != ']') {
      fail(at_, "']' is missing", "write an offset or a range: w[-1], w[-2..2]");
    }
    if (part.from.anchor != part.to.anchor || part.from.offset > part.to.offset) {
      fail(start, "the range does not go from left to right",
           "write the smaller offset first, both from the same place: [-2..2]");
    }
    ++at_;
  }

  Position parse_position() {
    Position position;
    const std::size_t start = at_;
    while (at_ < line_.size() && line_[at_] >= 'a' && line_[at_] <= 'z') ++at_;
    const std::string_view name = line_.substr(start, at_ - start);
    const bool spans = parsed_->scope.spans;
    if (!name.empty()) {
      const auto anchor = std::ranges::find(kAnchorNames, name);
      if (anchor == kAnchorNames.end() || !spans) {
        fail(start,
             fmt::format("'{}' is not a position in a {}", name, spans ? "span" : "token"),
             spans ? "use first, last, head, any or all, with an offset: [first-1]"
                   : "use offsets such as [-1]; only spans have first, last, head, any and "
                     "all");
      }
      position.anchor = static_cast<Anchor>(anchor - kAnchorNames.begin());
    } else if (spans) {
      position.anchor = Anchor::head;
    }
    position.offset = parse_offset(start, !name.empty());
    return position;
  }

  int parse_offset(std::size_t start, bool anchored) {
    const bool sign = at_ < line_.size() && (line_[at_] == '+' || line_[at_] == '-');
    if (anchored && !sign) return 0;
    const std::size_t digits = at_ + (sign && line_[at_] == '+' ? 1 : 0);
    int offset = 0;
    const auto [end, error] =
        std::from_chars(line_.data() + digits, line_.data() + line_.size(), offset);
    if (error != std::errc() || offset < -kFarthest || offset > kFarthest) {
      fail(start, "no offset from -50 to 50 after '['",
           "write for example w[-1] or w[-2..2]");
    }
    at_ = static_cast<std::size_t>(end - line_.data());
    return offset;
  }

  void check_part(const Part& part, std::size_t start) const {
    const bool spans = parsed_->scope.spans;
    if (part.is_tag && spans) {
      fail(start, "spans have no previous tag", "leave out tag[-1]");
    }
    if (part.is_tag && (part.from.offset != -1 || part.to.offset != -1)) {
      fail(start, "only the previous tag is known to a first-order model", "write tag[-1]");
    }
    if (part.source == Source::length && !spans) {
      fail(start, "only spans have a length", "leave out length");
    }
    if (part.from.anchor == Anchor::all && (part.from.offset != 0 || part.to.offset != 0)) {
      fail(start, "[all] has no offset", "write [all] or [any+1]");
    }
  }

  // Adds every feature that the ranges of `parts` stand for.
  void expand(const std::vector<Part>& parts, std::size_t from,
              std::vector<std::pair<std::string, Atom>>& atoms, bool tag) {
    if (from == parts.size()) return add(atoms, tag);
    const Part& part = parts[from];
    if (part.is_tag) return expand(parts, from + 1, atoms, tag);
    for (const std::uint8_t index : part.indices) {
      for (int offset = part.from.offset; offset <= part.to.offset; ++offset) {
        const Atom atom{part.source, index, part.from.anchor, offset};
        atoms.emplace_back(written(part, atom), atom);
        expand(parts, from + 1, atoms, tag);
        atoms.pop_back();
      }
    }
  }

  std::string written(const Part& part, const Atom& atom) const {
    std::string name = part.source == Source::gazetteer
                           ? "gaz." + parsed_->scope.gazetteers[atom.index]
                           : part.name;
    if (part.source == Source::length) return name;
    const std::string_view anchor = kAnchorNames[static_cast<std::size_t>(atom.anchor)];
    if (anchor.empty() && atom.offset == 0) return name;
    if (anchor.empty()) return fmt::format("{}[{}]", name, atom.offset);
    if (atom.offset == 0) return fmt::format("{}[{}]", name, anchor);
    return fmt::format("{}[{}{:+}]", name, anchor, atom.offset);
  }

  void add(const std::vector<std::pair<std::string, Atom>>& atoms, bool tag) {
    Template made;
    if (tag) made.prefix = kTagFeature;
    for (const auto& [name, atom] : atoms) {
      made.prefix += made.prefix.empty() ? "" : "|";
      made.prefix += name;
      made.atoms.push_back(atom);
      if (atom.source == Source::attribute) parsed_->attributes |= 1u << atom.index;
    }
    made.prefix += '=';
    if (!seen_.insert(made.prefix).second) return;
    if (seen_.size() > kMostTemplates) {
      fail(at_, fmt::format("more than {} features a token", kMostTemplates),
           "use smaller ranges");
    }
    (tag ? parsed_->tags : parsed_->context).push_back(std::move(made));
  }

  std::string shown(std::size_t at) const {
    return excerpt(line_.substr(at, 1 + (static_cast<unsigned char>(line_[at]) >= 0x80)));
  }

  [[noreturn]] void fail(std::size_t column, const std::string& problem,
                         const std::string& fix) const {
    throw InputError({file_, line_number_, std::string(line_)},
                     fmt::format("column {}: {}", column + 1, problem), fix);
  }

  std::string file_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t line_number_ = 0;
  std::size_t at_ = 0;
  std::unique_ptr<FeatureTemplate::Parsed> parsed_;
  std::set<std::string> seen_;
};

}  // namespace
}  // namespace features

FeatureTemplate::FeatureTemplate(std::unique_ptr<Parsed> parsed)
    : parsed_(std::move(parsed)) {}
FeatureTemplate::FeatureTemplate(FeatureTemplate&&) noexcept = default;
FeatureTemplate& FeatureTemplate::operator=(FeatureTemplate&&) noexcept = default;
FeatureTemplate::~FeatureTemplate() = default;

FeatureTemplate FeatureTemplate::parse(std::string_view text, const std::string& name,
                                       const TemplateScope& scope) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint8_t>::max();
  if (scope.columns.size() > kMost || scope.gazetteers.size() > kMost) {
    throw UsageError("more than 255 columns or gazetteers", "use fewer");
  }
  for (const std::string& gazetteer : scope.gazetteers) {
    if (gazetteer.empty() || !std::ranges::all_of(gazetteer, features::is_name_character)) {
      throw UsageError(fmt::format("'{}' cannot be the name of a gazetteer", gazetteer),
                       "use letters, digits, '-', '_' and '.'");
    }
  }
  for (const std::string& column : scope.classes.columns()) {
    if (std::ranges::find(scope.columns, column) == scope.columns.end()) continue;
    throw UsageError(
        fmt::format("'{}' is a column of the input and a column of word classes", column),
        "give the column of the input another name with --columns");
  }
  return FeatureTemplate(features::Parser(text, name, scope).run());
}

std::size_t FeatureTemplate::num_tag_templates() const { return parsed_->tags.size(); }
const std::string& FeatureTemplate::text() const { return parsed_->text; }

}  // namespace megadapt
