#include "megadapt/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "sentences/token_context.hpp"

namespace megadapt {
namespace {

using Terms = std::map<std::string, double>;

// Adds the terms of the linear parts, each weighted by its share in the whole.
void add_terms(const ComponentExplanation& part, double weight, Terms& sum) {
  if (part.components.empty()) {
    for (const Contribution& term : part.log_odds.contributions) {
      sum[term.feature] += weight * term.contribution;
    }
  }
  for (const ComponentExplanation& child : part.components) {
    add_terms(child, weight * child.weight, sum);
  }
}

std::vector<FeatureChange> strongest_first(const Terms& terms) {
  std::vector<FeatureChange> changes;
  for (const auto& [name, change] : terms) {
    if (change != 0) changes.push_back({name, change});
  }
  std::ranges::stable_sort(changes, [](const auto& a, const auto& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  return changes;
}

std::uint32_t label_of(const Model& model, std::string_view name) {
  const auto found = std::ranges::find(model.labels, name);
  return found == model.labels.end()
             ? kNone
             : static_cast<std::uint32_t>(found - model.labels.begin());
}

/// Explains an answer. The labels in the options are ids of the model that gave it.
using Explainer = std::function<Explanation(const ExplainOptions&)>;

/// One model's answer for a row.
struct Answer {
  std::uint32_t label = 0;
  std::span<const double> probabilities;
  Explainer explain;
};

class DiffBuilder {
 public:
  DiffBuilder(const Model& before, const Model& after, const DiffOptions& options)
      : before_(before),
        after_(after),
        options_(options),
        before_scores_(before.labels),
        after_scores_(after.labels) {}

  /// Adds a row. Fills in what `row` still lacks: the models' labels and probabilities, and
  /// the features.
  void add(ChangedRow row, std::string_view group, const Answer& before,
           const Answer& after) {
    ++result_.rows;
    row.before = before_.labels[before.label];
    row.after = after_.labels[after.label];
    row.p_before = probability(before_, row.label, before);
    row.p_after = probability(after_, row.label, after);
    before_scores_.add(row.label, before.label, row.p_before, group);
    after_scores_.add(row.label, after.label, row.p_after, group);
    const bool was_right = row.before == row.label;
    if (was_right == (row.after == row.label)) return;
    add_features(row, was_right ? row.after : row.before, before, after);
    (was_right ? result_.lost : result_.won).push_back(std::move(row));
  }

  ModelDiff finish(std::string sha256) {
    result_.before = before_scores_.result(options_.seed);
    result_.after = after_scores_.result(options_.seed);
    result_.test = mcnemar(result_.lost.size(), result_.won.size());
    result_.features = strongest_first(sum_);
    result_.sha256 = std::move(sha256);
    return std::move(result_);
  }

 private:
  static double probability(const Model& model, std::string_view gold,
                            const Answer& answer) {
    const std::uint32_t label = label_of(model, gold);
    return label == kNone ? 0 : answer.probabilities[label];
  }

  // A model that lacks one of the labels has no log-odds of the two.
  static void add_side(const Model& model, const Answer& answer, std::string_view label,
                       std::string_view wrong, double sign, Terms& terms) {
    const std::uint32_t right_id = label_of(model, label);
    const std::uint32_t wrong_id = label_of(model, wrong);
    if (right_id == kNone || wrong_id == kNone) return;
    const Explanation why = answer.explain({.label = right_id, .against = wrong_id});
    add_terms(why.model, sign, terms);
  }

  void add_features(ChangedRow& row, const std::string& wrong, const Answer& before,
                    const Answer& after) {
    Terms terms;
    add_side(after_, after, row.label, wrong, 1, terms);
    add_side(before_, before, row.label, wrong, -1, terms);
    for (const auto& [name, change] : terms) sum_[name] += change;
    row.features = strongest_first(terms);
    if (row.features.size() > options_.row_features) {
      row.features.resize(options_.row_features);
    }
  }

  const Model& before_;
  const Model& after_;
  const DiffOptions& options_;
  Evaluator before_scores_;
  Evaluator after_scores_;
  ModelDiff result_;
  Terms sum_;
};

[[noreturn]] void refuse_different(const std::string& path, std::size_t row) {
  throw InputError({path},
                   fmt::format("the two models read different rows, from row {} on", row),
                   "name the --format that both models can read");
}

/// One model and the file that it reads by its own recipe. `Door` is Classifier or Tagger.
template <class Door>
struct Side {
  Side(const Door& door, const std::string& path, const DiffOptions& options,
       const std::string& domain)
      : reader(door.open(path, opening(options, domain))), worker(door.worker(domain)) {}

  OpenOptions opening(const DiffOptions& options, const std::string& domain) {
    OpenOptions open = options.open;
    open.labelled = true;
    open.digest = true;
    open.as_domain = domain;
    open.unknown_domains = &unknown;
    return open;
  }

  UnknownDomains unknown;
  decltype(std::declval<const Door&>().open({})) reader;
  typename Door::Worker worker;
};

/// Reads the file with both models and calls `add(builder, number, old, its item, new, its
/// item)` for each pair of items; `number` counts the rows so far. Throws InputError if
/// `same` says that the models read different items.
template <class Item, class Door, class Same, class Add>
ModelDiff diff_items(const Door& before, const Door& after, const std::string& path,
                     const DiffOptions& options, Same same, Add add) {
  Side<Door> old_side(before, path, options, options.before_domain);
  Side<Door> new_side(after, path, options, options.after_domain);
  DiffBuilder builder(before.model(), after.model(), options);
  std::size_t number = 0;
  for (Item was, is; old_side.reader->next(was);) {
    if (!new_side.reader->next(is) || !same(was, is)) refuse_different(path, number + 1);
    add(builder, number, old_side.worker, was, new_side.worker, is);
  }
  if (Item rest; new_side.reader->next(rest)) refuse_different(path, number + 1);
  if (number == 0) throw InputError({path}, "there are no rows", "give labelled rows");
  ModelDiff diff = builder.finish(old_side.reader->sha256());
  diff.unknown_before = old_side.unknown;
  diff.unknown_after = new_side.unknown;
  return diff;
}

ModelDiff diff_rows(const Classifier& before, const Classifier& after,
                    const std::string& path, const DiffOptions& options) {
  using Worker = Classifier::Worker;
  return diff_items<Row>(
      before, after, path, options,
      [](const Row& was, const Row& is) { return was.label == is.label; },
      [](DiffBuilder& builder, std::size_t& number, Worker& old_worker, const Row& was,
         Worker& new_worker, const Row& is) {
        const auto p_old = old_worker.predict(was);
        const auto p_new = new_worker.predict(is);
        builder.add({.row = ++number,
                     .id = std::string(was.id),
                     .text = std::string(was.text),
                     .label = std::string(was.label)},
                    was.group,
                    {most_probable(p_old), p_old,
                     [&](const auto& labels) { return old_worker.explain(was, labels); }},
                    {most_probable(p_new), p_new,
                     [&](const auto& labels) { return new_worker.explain(is, labels); }});
      });
}

// Probabilities are conditional on the whole sentence; each token, or marked span, counts
// as a row.
ModelDiff diff_sentences(const Tagger& before, const Tagger& after, const std::string& path,
                         const DiffOptions& options) {
  using Worker = Tagger::Worker;
  return diff_items<Sentence>(
      before, after, path, options,
      [](const Sentence& was, const Sentence& is) { return was.tokens == is.tokens; },
      [](DiffBuilder& builder, std::size_t& number, Worker& old_worker, const Sentence& was,
         Worker& new_worker, const Sentence& is) {
        old_worker.read(was);
        new_worker.read(is);
        const std::vector<Prediction> old_tags = old_worker.predict();
        const std::vector<Prediction> new_tags = new_worker.predict();
        for (std::size_t t = 0; t < old_tags.size(); ++t) {
          builder.add({.row = ++number,
                       .id = std::string(was.id),
                       .text = token_context(was, t).text(),
                       .label = std::string(was.tags[t])},
                      was.document,
                      {old_tags[t].label, old_tags[t].probabilities,
                       [&](const auto& labels) { return old_worker.explain(labels)[t]; }},
                      {new_tags[t].label, new_tags[t].probabilities,
                       [&](const auto& labels) { return new_worker.explain(labels)[t]; }});
        }
      });
}

}  // namespace

ModelDiff diff_models(const Model& before, const Model& after, const std::string& path,
                      const DiffOptions& options) {
  if (path == "-") {
    throw UsageError("the test rows are read twice, so standard input cannot be used",
                     "give a file");
  }
  const bool task = before.recipe->task.has_value();
  if (task != after.recipe->task.has_value()) {
    throw UsageError("one model reads sentences, the other one rows of features",
                     "compare models of the same task");
  }
  if (task && before.recipe->task->task != after.recipe->task->task) {
    throw UsageError("the models have different tasks", "compare models of the same task");
  }
  return task ? diff_sentences(Tagger::over(before), Tagger::over(after), path, options)
              : diff_rows(Classifier::over(before), Classifier::over(after), path, options);
}

}  // namespace megadapt
