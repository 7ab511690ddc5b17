#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/messages.hpp"
#include "corpus/label_shares.hpp"
#include "corpus/readers.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

constexpr std::string_view kDropped = "-";
constexpr const char* kRuleForm =
    "write OLD<TAB>NEW, or DOMAIN<TAB>OLD<TAB>NEW; a NEW of - drops the row";

std::vector<std::string_view> tab_fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t tab = line.find('\t', begin);
    fields.push_back(line.substr(begin, tab - begin));
    if (tab == std::string_view::npos) return fields;
    begin = tab + 1;
  }
}

// As in the megam format, `#` begins a comment unless it is a complete field.
bool is_comment(std::string_view line) {
  return line.starts_with('#') && !line.starts_with("#\t");
}

class MappedRows final : public RowReader {
 public:
  MappedRows(std::unique_ptr<RowReader> rows, LabelMap& map, std::string domain)
      : rows_(std::move(rows)), map_(map), domain_(std::move(domain)) {}

  bool next(Row& row) override {
    while (rows_->next(row)) {
      if (map_.apply(row.domain.empty() ? domain_ : row.domain, row)) return true;
    }
    return false;
  }
  Format format() const override { return rows_->format(); }
  Place place() const override { return rows_->place(); }
  std::string sha256() const override { return rows_->sha256(); }

 private:
  std::unique_ptr<RowReader> rows_;
  LabelMap& map_;
  std::string domain_;
};

}  // namespace

LabelMap LabelMap::read(const std::string& path) {
  const std::string name = corpus::display_name(path);
  corpus::LineReader lines(corpus::decompressed(corpus::open_stored(path), name), name);
  LabelMap map;
  for (std::string_view line; lines.next(line);) {
    if (line.empty() || is_comment(line)) continue;
    const auto fail = [&](const std::string& problem, const std::string& fix) {
      throw InputError({name, lines.line_number(), excerpt(line)}, problem, fix);
    };
    const std::vector<std::string_view> fields = tab_fields(line);
    if (fields.size() < 2 || fields.size() > 3) {
      fail(fmt::format(
               "{} between tabs, not 2 or 3",
               fields.size() == 1 ? "1 field" : fmt::format("{} fields", fields.size())),
           kRuleForm);
    }
    if (std::any_of(fields.begin(), fields.end(),
                    [](auto field) { return field.empty(); })) {
      fail("a field is empty", kRuleForm);
    }
    const std::string_view domain = fields.size() == 3 ? fields[0] : std::string_view();
    const std::string_view old_name = fields[fields.size() - 2];
    const std::string_view new_name = fields.back() == kDropped ? "" : fields.back();
    auto [at, added] = map.domains_[std::string(domain)].target.try_emplace(
        std::string(old_name), Target{std::string(new_name), lines.line_number()});
    if (!added && at->second.name != new_name) {
      fail(fmt::format("line {} gives the label '{}' another name", at->second.line,
                       old_name),
           "keep one of the two lines");
    }
  }
  if (map.domains_.empty()) throw InputError({name}, "has no rule", kRuleForm);
  return map;
}

LabelMap::LabelMap(const std::vector<Rule>& rules) {
  for (const Rule& rule : rules) {
    domains_[rule.domain].target.try_emplace(rule.label, Target{rule.name, rule.line});
  }
}

LabelMap::Target* LabelMap::find(std::string_view domain, std::string_view label) {
  const auto rules = domains_.find(domain);
  if (rules == domains_.end()) return nullptr;
  ++rules->second.rows;
  const auto target = rules->second.target.find(label);
  return target == rules->second.target.end() ? nullptr : &target->second;
}

bool LabelMap::apply(std::string_view domain, std::string_view& label) {
  const bool kept = rename(domain, label);
  dropped_ += !kept;
  return kept;
}

bool LabelMap::apply(std::string_view domain, Row& row) {
  if (row.shares.empty()) return apply(domain, row.label);
  std::erase_if(row.shares, [&](NamedShare& one) { return !rename(domain, one.label); });
  dropped_ += row.shares.empty();
  if (row.shares.empty()) return false;
  corpus::settle_shares(row);
  return true;
}

bool LabelMap::rename(std::string_view domain, std::string_view& label) {
  Target* own = domain.empty() ? nullptr : find(domain, label);
  Target* common = find("", label);
  // A general rule counts as used even when the domain's own rule overrides it.
  if (common) ++common->rows;
  Target* target = own ? own : common;
  if (!target) return true;
  if (own) ++own->rows;
  label = target->name;
  return !label.empty();
}

template <class Wanted>
std::vector<LabelMap::Rule> LabelMap::rules_where(Wanted wanted) const {
  std::vector<Rule> rules;
  for (const auto& [domain, own] : domains_) {
    for (const auto& [label, target] : own.target) {
      if (wanted(own, target)) rules.push_back({domain, label, target.name, target.line});
    }
  }
  std::sort(rules.begin(), rules.end(),
            [](const Rule& a, const Rule& b) { return a.line < b.line; });
  return rules;
}

std::vector<LabelMap::Rule> LabelMap::rules() const {
  return rules_where([](const DomainRules&, const Target&) { return true; });
}

std::vector<LabelMap::Rule> LabelMap::unused(bool read_domains_only) const {
  return rules_where([&](const DomainRules& own, const Target& target) {
    return target.rows == 0 && !(read_domains_only && own.rows == 0);
  });
}

std::unique_ptr<RowReader> corpus::map_labels(std::unique_ptr<RowReader> reader,
                                              LabelMap& map, std::string domain) {
  return std::make_unique<MappedRows>(std::move(reader), map, std::move(domain));
}

}  // namespace megadapt
