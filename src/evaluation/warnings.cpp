// Every warning of the program: when it is given, its words and its remedy.

#include "megadapt/warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/messages.hpp"
#include "dataset/folds.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kShownNames = 5;
constexpr std::size_t kManyLabels = 6;  // with fewer, each may be rare by chance

// "a, b, c and 4 more".
std::string listed(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kShownNames);
  std::vector<std::string> first;
  for (std::size_t i = 0; i < shown; ++i) first.push_back(excerpt(names[i]));
  std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string rename_remedy(const Dataset& data) {
  return data.recipe->task ? "give a tag the same name in all files, if it means the same"
                           : "rename labels that mean the same by --map-labels FILE";
}

/// How many rows of each domain have each label, on all ranks.
class LabelCounts {
 public:
  LabelCounts(const Dataset& data, Communicator& ranks)
      : data_(data), count_(std::size_t{data.num_domains()} * data.num_labels()) {
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      if (data.label[n] != kNone) ++at(data.domain[n], data.label[n]);
    }
    ranks.sum(count_);
    total_.resize(data.num_labels());  // once: there may be very many domains
    for (std::size_t i = 0; i < count_.size(); ++i) total_[i % total_.size()] += count_[i];
  }

  double of(std::uint32_t domain, std::uint32_t label) const {
    return count_[std::size_t{domain} * data_.num_labels() + label];
  }
  double rows(std::uint32_t domain) const {
    double sum = 0;
    for (std::uint32_t y = 0; y < data_.num_labels(); ++y) sum += of(domain, y);
    return sum;
  }
  double total(std::uint32_t label) const { return total_[label]; }
  /// The labels of the domain.
  std::vector<std::string> names(std::uint32_t domain) const {
    return names_if([&](std::uint32_t y) { return of(domain, y) > 0; });
  }
  /// The labels of the domain that no other domain has.
  std::vector<std::string> own_names(std::uint32_t domain) const {
    return names_if(
        [&](std::uint32_t y) { return of(domain, y) > 0 && of(domain, y) == total(y); });
  }
  /// The labels that only one row has.
  std::vector<std::string> single_names() const {
    return names_if([&](std::uint32_t y) { return total(y) == 1; });
  }
  bool share_a_label(std::uint32_t a, std::uint32_t b) const {
    for (std::uint32_t y = 0; y < data_.num_labels(); ++y) {
      if (of(a, y) > 0 && of(b, y) > 0) return true;
    }
    return false;
  }

 private:
  double& at(std::uint32_t domain, std::uint32_t label) {
    return count_[std::size_t{domain} * data_.num_labels() + label];
  }
  template <class Wanted>
  std::vector<std::string> names_if(Wanted wanted) const {
    std::vector<std::string> names;
    for (std::uint32_t y = 0; y < data_.num_labels(); ++y) {
      if (wanted(y)) names.emplace_back(data_.label_name(y));
    }
    return names;
  }

  const Dataset& data_;
  std::vector<double> count_;  // [K][Y]
  std::vector<double> total_;  // [Y]
};

std::string domain_name(const Dataset& data, std::uint32_t domain) {
  return std::string(data.domains().name(domain));
}

void check_target_labels(const Dataset& data, std::uint32_t target,
                         const LabelCounts& counts, std::vector<Warning>& found) {
  const std::vector<std::string> names = counts.names(target);
  if (names.size() != 1 || data.num_labels() == 1 || counts.rows(target) < 2) return;
  found.push_back({"one-label",
                   fmt::format("all {} rows of the target '{}' have the label '{}'",
                               counts.rows(target), domain_name(data, target), names[0]),
                   "check its labels, or give it rows of other labels: the target's rows "
                   "cannot tell labels apart"});
}

void check_common_labels(const Dataset& data, std::uint32_t target,
                         const LabelCounts& counts, std::vector<Warning>& found) {
  std::vector<bool> foreign(data.num_domains());
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    if (d == target || counts.share_a_label(d, target)) continue;
    foreign[d] = true;
    found.push_back(
        {"no-common-label",
         fmt::format("'{}' and the target '{}' have no label in common: {} / {}",
                     domain_name(data, d), domain_name(data, target),
                     listed(counts.names(d)), listed(counts.names(target))),
         rename_remedy(data) + ", or leave out this domain"});
  }
  // If the target has a single label, other domains naturally have labels that it lacks.
  if (data.num_domains() < 2 || counts.names(target).size() < 2) return;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    const std::vector<std::string> own = counts.own_names(d);
    // "no-common-label" has already been reported for these domains.
    const bool said =
        foreign[d] || (d == target && own.size() == counts.names(target).size());
    if (own.empty() || said) continue;
    found.push_back(
        {"label-of-one-domain",
         fmt::format("only '{}' has rows of the label{} {}", domain_name(data, d),
                     own.size() == 1 ? "" : "s", listed(own)),
         rename_remedy(data)});
  }
}

std::optional<Warning> odd_labels(const Dataset& data, const LabelCounts& counts) {
  double rows = 0;
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) rows += counts.rows(d);
  const std::vector<std::string> single = counts.single_names();
  if (data.is_sequences() || data.num_labels() < kManyLabels ||
      2 * static_cast<double>(single.size()) <= rows) {
    return std::nullopt;
  }
  const std::string problem =
      fmt::format("{} of {} rows have a label that no other row has: {}", single.size(),
                  rows, listed(single));
  if (data.guessed_lines) {  // nobody has said that the lines begin with labels
    throw UsageError(problem,
                     "the first field of a line is its label: write "
                     "LABEL<TAB>text, or name the format with --format");
  }
  return Warning{
      "labels-like-words", problem,
      "check what the label is: the first field of a line, as in LABEL<TAB>text, or the "
      "label column of a table"};
}

// Whether each domain has a feature in common with the target, apart from the bias and
// features of the previous tag.
std::vector<double> common_features(const Dataset& data, std::uint32_t target,
                                    Communicator& ranks) {
  std::vector<float> known(data.num_features());
  const auto counts = [&](std::uint32_t f) {
    return f != data.bias() && !data.is_tag_feature(f);
  };
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    if (data.domain[n] != target) continue;
    for (const std::uint32_t f : data.rows[n].features) known[f] = counts(f) ? 1 : 0;
  }
  ranks.sum(known);
  std::vector<double> shared(data.num_domains());
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    double& found = shared[data.domain[n]];
    if (found > 0) continue;
    for (const std::uint32_t f : data.rows[n].features) found += known[f] > 0 ? 1 : 0;
  }
  ranks.sum(shared);
  return shared;
}

void check_features(const Dataset& data, std::uint32_t target, Communicator& ranks,
                    std::vector<Warning>& found) {
  if (data.num_domains() < 2) return;
  const std::vector<double> shared = common_features(data, target, ranks);
  for (std::uint32_t d = 0; d < data.num_domains(); ++d) {
    if (d == target || shared[d] > 0) continue;
    found.push_back({"no-common-feature",
                     fmt::format("'{}' and the target '{}' have no feature in common",
                                 domain_name(data, d), domain_name(data, target)),
                     "check that both files have the same format, language and columns; "
                     "'megadapt features' or 'megadapt convert' show what is read"});
  }
}

}  // namespace

std::vector<Warning> data_warnings(const Dataset& data, std::uint32_t target,
                                   Communicator& ranks) {
  std::vector<Warning> found;
  const LabelCounts counts(data, ranks);
  if (const auto odd = odd_labels(data, counts)) {
    found.push_back(*odd);
  } else {
    check_target_labels(data, target, counts, found);
    check_common_labels(data, target, counts, found);
  }
  check_features(data, target, ranks, found);
  return found;
}

std::optional<Warning> label_warning(const Dataset& data, Communicator& ranks) {
  return odd_labels(data, LabelCounts(data, ranks));
}

std::vector<Warning> reading_warnings(const ReadNotes& notes, const std::string& map_file) {
  std::vector<Warning> found;
  for (const std::string& column : notes.left_out_columns) {
    found.push_back(
        {"column-of-one-domain",
         fmt::format("column '{}' is not used: a domain has no value in it", column),
         "fill it in every domain, or name the other columns with --columns"});
  }
  for (const std::string& column : notes.uneven_columns) {
    found.push_back(
        {"column-of-one-domain",
         fmt::format("the templates use column '{}', in which a domain has no value",
                     column),
         "take it out of the templates: a model that relies on it fails where it is "
         "empty; or fill it in every domain"});
  }
  for (const LabelMap::Rule& rule : notes.unused_rules) {
    found.push_back(
        {"unused-rule",
         fmt::format("{}:{}: no row{} has the label '{}'", map_file, rule.line,
                     rule.domain.empty() ? "" : fmt::format(" of domain '{}'", rule.domain),
                     rule.label),
         "correct the label or the domain in this line, or remove it"});
  }
  return found;
}

std::optional<Warning> tuning_warning(const Dataset& data, std::uint32_t target) {
  const std::vector<std::size_t> own = data.rows_of(target);
  const std::vector<std::uint32_t> unit = units_of(data, own);
  if (!unit.empty() && *std::ranges::max_element(unit) > 0) return std::nullopt;
  const bool grouped = own.size() > 1;
  return Warning{
      "one-group",
      fmt::format("the target '{}' has {}, so no row can be held out and nothing is tuned",
                  domain_name(data, target),
                  grouped ? "a single group of rows" : "a single row"),
      grouped ? "give rows that belong together their own group (documents, authors), or "
                "leave out the group column"
              : "give it more labelled rows"};
}

std::optional<Warning> duplicate_warning(std::size_t duplicates, const std::string& what) {
  if (duplicates == 0) return std::nullopt;
  return Warning{"duplicates",
                 fmt::format("the target's training rows contain {} {}{}: the scores are "
                             "too optimistic",
                             duplicates, what, duplicates == 1 ? "" : "s"),
                 "remove repeated rows, or give copies of a row the same \"group\""};
}

std::optional<Warning> training_file_warning(const ModelInfo& info, const std::string& file,
                                             std::string_view sha256,
                                             std::string_view use) {
  const auto same = std::ranges::find_if(info.sources, [&](const SourceFile& source) {
    return !sha256.empty() && source.sha256 == sha256;
  });
  if (same == info.sources.end()) return std::nullopt;
  const std::string shown = file == "-" ? "standard input" : file;
  const bool renamed = same->file != file;
  return Warning{
      "training-file",
      fmt::format("the model was trained on {}{}: the scores say nothing about new rows",
                  shown, renamed ? fmt::format(" ({} then)", same->file) : ""),
      use == "adapt" ? "adapt to rows that the model has not seen"
                     : "test on rows that the model has not seen; 'megadapt compare' "
                       "cross-validates if there are none"};
}

std::optional<Warning> unknown_labels_warning(const Evaluation& evaluation,
                                              const std::string& file) {
  std::size_t unknown = 0;
  std::vector<std::string> names;
  for (const auto& [label, count] : evaluation.unseen_labels) {
    unknown += count;
    names.push_back(label);
  }
  if (unknown == 0 || 2 * unknown <= evaluation.examples) return std::nullopt;
  const std::string remedy =
      "give labelled rows; 'megadapt predict -u' labels text without labels, --map-labels "
      "renames labels";
  if (unknown == evaluation.examples) {
    throw InputError({file == "-" ? "standard input" : file},
                     fmt::format("the model knows none of these labels: {}", listed(names)),
                     remedy);
  }
  return Warning{"unknown-labels",
                 fmt::format("{} of {} rows have a label that the model does not know: {}",
                             unknown, evaluation.examples, listed(names)),
                 remedy};
}

std::optional<Warning> unknown_domains_warning(const UnknownDomains& unknown,
                                               const LoadedModel& model,
                                               const std::string& as_domain) {
  if (unknown.rows == 0) return std::nullopt;
  const std::vector<std::string> names = model.domains();
  const std::string near = closest(unknown.first, names);
  return Warning{
      "unknown-domain",
      fmt::format("{} of a domain that the model does not know, such as '{}', predicted as "
                  "'{}'",
                  unknown.rows == 1 ? "1 row is" : fmt::format("{} rows are", unknown.rows),
                  excerpt(unknown.first), as_domain.empty() ? model.target() : as_domain),
      fmt::format("{}the model knows {}; --as-domain names the one to take, 'megadapt "
                  "adapt' learns a new one",
                  near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
                  listed(names))};
}

UnknownLabels::UnknownLabels(const std::vector<std::string>& known) {
  for (const std::string& label : known) known_.add(label);
}

void UnknownLabels::add(std::string_view label) {
  if (label.empty()) return;
  ++rows_;
  if (known_.find(label) != kNone) return;
  if (unknown_++ == 0) example_ = label;
}

std::optional<Warning> UnknownLabels::warning(const std::string& file) const {
  if (2 * unknown_ <= rows_) return std::nullopt;
  return Warning{
      "unknown-labels",
      fmt::format("{}: {} of {} rows have a label that the model does not know, such as "
                  "'{}'",
                  file == "-" ? "standard input" : file, unknown_, rows_,
                  excerpt(example_)),
      "the first field was taken as the label; give -u if the rows have no labels"};
}

}  // namespace megadapt
