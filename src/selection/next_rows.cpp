#include <fmt/format.h>

#include <map>

#include "corpus/text/feature_maker.hpp"
#include "inference/stream.hpp"
#include "megadapt/selection.hpp"
#include "selection/reasons.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kRowsPerChunk = 256;

/// A row to choose from.
struct RowCandidate {
  NextRow row;
  Judgement judgement;
  std::uint32_t domain = 0;
  std::size_t unseen = 0;
  std::size_t features = 0;
  std::vector<std::uint32_t> hashes;
};

/// Judges rows of any domain by a model. One per thread.
class RowReviewer {
 public:
  RowReviewer(const Classifier& classifier, const ModelPart& parts)
      : classifier_(classifier), parts_(parts) {}

  RowCandidate review(const Row& row, Classifier::Worker& worker) {
    RowCandidate candidate;
    const std::size_t before = worker.unseen();
    const auto probability = worker.predict(row);
    candidate.domain = worker.domain();
    candidate.judgement = judge(candidate.domain)(worker.encoded(), probability);
    candidate.unseen = worker.unseen() - before;
    candidate.features = worker.named().size();
    for (const NamedFeature& feature : worker.named()) {
      candidate.hashes.push_back(FeatureSets::hash(feature.name, feature.value));
    }
    keep(row, worker.named(), candidate.row);
    return candidate;
  }

  RowJudge& judge(std::uint32_t domain) {
    const auto found = judges_.find(domain);
    if (found != judges_.end()) return found->second;
    return judges_.emplace(domain, RowJudge(*classifier_.model().predictor, parts_, domain))
        .first->second;
  }

 private:
  void keep(const Row& row, std::span<const NamedFeature> named, NextRow& out) const {
    out.id = row.id;
    out.group = row.group;
    out.domain = row.domain;
    // `train` requires a column that an option names in every row, so fill in the domain.
    if (out.domain.empty() && classifier_.model().recipe->columns.domain) {
      out.domain = classifier_.target();
    }
    out.from_text = row.from_text;
    out.has_values = row.has_values;
    if (row.from_text) {
      out.text = row.text;
      for (const NamedFeature& feature : named.first(row.columns)) {
        out.columns.push_back(column_of(feature));
      }
      return;
    }
    for (const NamedFeature& feature : named) {
      out.features.emplace_back(feature.name, feature.value);
    }
  }

  // price=(number) with the value 3 -> {"price", "3"}; color=red -> {"color", "red"}
  std::pair<std::string, std::string> column_of(const NamedFeature& feature) const {
    const ColumnNames& columns = classifier_.model().recipe->columns;
    if (corpus::is_number_feature(feature.name, columns)) {
      const std::size_t end = feature.name.rfind('=');
      return {std::string(feature.name.substr(0, end)), fmt::format("{}", feature.value)};
    }
    for (const std::string& name : columns.categories) {
      if (feature.name.starts_with(name + "=")) {
        return {name, std::string(feature.name.substr(name.size() + 1))};
      }
    }
    return {std::string(feature.name), "1"};
  }

  const Classifier& classifier_;
  const ModelPart& parts_;
  std::map<std::uint32_t, RowJudge> judges_;
};

std::string joined_names(const NamedFeatures& features) {
  std::string text;
  for (const auto& [name, value] : features) {
    if (!text.empty()) text += ' ';
    text += name;
  }
  return text;
}

/// All candidates, and the choice among them.
class RowPool {
 public:
  void add(RowCandidate candidate) {
    candidate.row.row = candidates_.size() + 1;
    sets_.add(std::move(candidate.hashes));
    candidates_.push_back(std::move(candidate));
  }

  NextBatch choose(std::size_t budget, RowReviewer& reviewer,
                   const std::vector<std::string>& labels) {
    std::vector<double> score;
    for (const RowCandidate& candidate : candidates_) {
      score.push_back(candidate.judgement.score);
    }
    NextBatch batch;
    batch.rows = candidates_.size();
    for (const Choice& choice : choose_rows(score, sets_, budget)) {
      RowCandidate& candidate = candidates_[choice.row];
      NextRow& row = batch.chosen.emplace_back(std::move(candidate.row));
      row.score = choice.score;
      row.reasons = reasons_of(
          candidate.judgement, reviewer.judge(candidate.domain), labels,
          {.like = choice.like, .features = candidate.features, .unseen = candidate.unseen},
          "row");
      if (!row.from_text) row.text = joined_names(row.features);
    }
    batch.labels = batch.chosen.size();
    return batch;
  }

 private:
  std::vector<RowCandidate> candidates_;
  FeatureSets sets_;
};

}  // namespace

NextBatch next_rows(const Classifier& classifier, const std::string& path,
                    const OpenOptions& options, std::size_t budget, const Execution& exec) {
  const ModelPart parts = parts_of(classifier.model());
  RowStream stream(classifier, path, options, exec);
  std::vector<RowReviewer> reviewers(stream.slots(), RowReviewer(classifier, parts));
  std::vector<std::vector<RowCandidate>> found(stream.slots());
  RowPool pool;
  stream.run(
      [&](std::span<const Row> rows, std::size_t slot) {
        for (const Row& row : rows) {
          found[slot].push_back(reviewers[slot].review(row, stream.worker(slot)));
        }
      },
      [&](std::span<const Row>, std::size_t slot) {
        for (RowCandidate& candidate : found[slot]) pool.add(std::move(candidate));
        found[slot].clear();
      });
  NextBatch batch = pool.choose(budget, reviewers[0], classifier.labels());
  batch.unknown_domains = stream.unknown_domains();
  return batch;
}

NextBatch next_rows(const Classifier& classifier, std::span<const Example> examples,
                    std::size_t budget, const Execution& exec) {
  const ModelPart parts = parts_of(classifier.model());
  std::vector<RowCandidate> found(examples.size());
  exec.parallel_for(examples.size(), kRowsPerChunk,
                    [&](std::size_t begin, std::size_t end) {
                      RowReviewer reviewer(classifier, parts);
                      Classifier::Worker worker = classifier.worker();
                      for (std::size_t n = begin; n < end; ++n) {
                        found[n] = reviewer.review(worker.read(examples[n]), worker);
                      }
                    });
  RowPool pool;
  for (RowCandidate& candidate : found) pool.add(std::move(candidate));
  RowReviewer reviewer(classifier, parts);
  return pool.choose(budget, reviewer, classifier.labels());
}

}  // namespace megadapt
