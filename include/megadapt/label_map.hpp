#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace megadapt {

/// New names for labels, so that domains with label sets of their own can be learnt
/// together. Lines of the file are OLD<TAB>NEW, or DOMAIN<TAB>OLD<TAB>NEW for one domain;
/// NEW `-` drops the rows of that label (docs/formats.md).
///
///     LabelMap map = LabelMap::read("labels.tsv");
///     Dataset data = read_dataset(files, {.read = {.label_map = &map}});
///     for (const auto& rule : map.unused()) warn(rule);
class LabelMap {
 public:
  /// Throws InputError with the line for one that is no rule, or contradicts an earlier
  /// one.
  static LabelMap read(const std::string& path);

  /// Replaces the label of a row of `domain`; false when the row is to be dropped. A rule
  /// for the domain goes before one for all domains; a label without a rule stays. New
  /// names are not mapped again. The view is valid as long as the map.
  bool apply(std::string_view domain, std::string_view& label);

  struct Rule {
    std::string domain;  ///< empty: every domain
    std::string label;
    std::size_t line = 0;
  };
  /// Rules whose label has not occurred, by line. With `read_domains_only`, without those
  /// for domains of which no row was read.
  std::vector<Rule> unused(bool read_domains_only = false) const;
  std::size_t dropped() const { return dropped_; }  ///< rows

 private:
  struct Target {
    std::string name;  // empty: drop
    std::size_t line = 0;
    std::size_t rows = 0;
  };
  struct DomainRules {
    std::map<std::string, Target, std::less<>> target;
    std::size_t rows = 0;  // read
  };
  Target* find(std::string_view domain, std::string_view label);

  std::map<std::string, DomainRules, std::less<>> domains_;  // "": for every domain
  std::size_t dropped_ = 0;
};

}  // namespace megadapt
