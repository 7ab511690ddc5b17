#include "inference/stream.hpp"
#include "selection/judge_sentence.hpp"
#include "selection/reasons.hpp"

namespace megadapt {
namespace {

constexpr std::size_t kBeside = 2;  // words beside a span that tell spans apart

/// A sentence to choose from.
struct SentenceCandidate {
  NextRow row;
  SentenceJudgement judgement;
  std::vector<std::uint32_t> hashes;
};

/// Judges sentences by a model. One per thread.
class SentenceReviewer {
 public:
  SentenceReviewer(const Tagger& tagger, const ModelPart& parts, std::uint32_t domain)
      : names_(tagger.has_task() ? tagger.task().columns.extra_names()
                                 : std::vector<std::string>()),
        domain_(domain),
        tokens_(tagger.model()),
        transitions_(tagger.labels(), tagger.model().scheme),
        judge_(*tagger.model().predictor, parts, domain) {}

  SentenceCandidate review(const Sentence& sentence) {
    SentenceCandidate candidate;
    tokens_.read(sentence, domain_);
    candidate.judgement = judge_sentence(tokens_, transitions_, judge_);
    candidate.hashes = hashes_of(sentence);
    keep(sentence, candidate.row);
    return candidate;
  }
  const RowJudge& judge() const { return judge_; }

 private:
  // Hashes of words and pairs of words. A span has its own words and its neighbours, so
  // that the spans of one sentence are not alike.
  static std::vector<std::uint32_t> hashes_of(const Sentence& sentence) {
    const std::size_t first =
        sentence.is_span ? sentence.span_begin - std::min(kBeside, sentence.span_begin) : 0;
    const std::size_t last = sentence.is_span
                                 ? std::min(sentence.size(), sentence.span_end + kBeside)
                                 : sentence.size();
    std::vector<std::uint32_t> hashes;
    for (std::size_t t = first; t < last; ++t) {
      const bool inside = t >= sentence.span_begin && t < sentence.span_end;
      const std::string word(sentence.tokens[t]);
      hashes.push_back(FeatureSets::hash(word, inside ? 2 : 1));
      if (t > first) {
        hashes.push_back(
            FeatureSets::hash(std::string(sentence.tokens[t - 1]) + ' ' + word));
      }
    }
    return hashes;
  }

  void keep(const Sentence& sentence, NextRow& out) const {
    out.id = sentence.id;
    out.group = sentence.document;
    out.tokens.assign(sentence.forms.begin(), sentence.forms.end());
    for (const std::string& form : out.tokens) {
      if (!out.text.empty()) out.text += ' ';
      out.text += form;
    }
    for (std::size_t c = 0; c < std::min(names_.size(), sentence.columns.size()); ++c) {
      out.token_columns.emplace_back(
          names_[c],
          std::vector<std::string>(sentence.columns[c].begin(), sentence.columns[c].end()));
    }
    if (sentence.is_span) out.span = {sentence.span_begin, sentence.span_end};
  }

  std::vector<std::string> names_;
  std::uint32_t domain_;
  EncodedSentence tokens_;
  TagTransitions transitions_;
  RowJudge judge_;
};

/// All candidates, and the choice among them.
class SentencePool {
 public:
  void add(SentenceCandidate candidate) {
    candidate.row.row = candidates_.size() + 1;
    sets_.add(std::move(candidate.hashes));
    candidates_.push_back(std::move(candidate));
  }

  NextBatch choose(std::size_t budget, const RowJudge& judge,
                   const std::vector<std::string>& labels) {
    std::vector<double> score;
    for (const SentenceCandidate& candidate : candidates_) {
      score.push_back(candidate.judgement.score);
    }
    NextBatch batch;
    batch.rows = candidates_.size();
    for (const Choice& choice : choose_rows(score, sets_, budget)) {
      SentenceCandidate& candidate = candidates_[choice.row];
      NextRow& row = batch.chosen.emplace_back(std::move(candidate.row));
      row.score = choice.score;
      const std::size_t token = candidate.judgement.token;
      row.reasons = reasons_of(
          candidate.judgement.of_token, judge, labels,
          {.like = choice.like, .token = row.span ? std::string_view() : row.tokens[token]},
          row.span ? "row" : "sentence");
      batch.labels += row.span ? 1 : row.tokens.size();
    }
    return batch;
  }

 private:
  std::vector<SentenceCandidate> candidates_;
  FeatureSets sets_;
};

}  // namespace

NextBatch next_sentences(const Tagger& tagger, const std::string& path,
                         const OpenOptions& options, std::size_t budget,
                         const Execution& exec) {
  const ModelPart parts = parts_of(tagger.model());
  SentenceStream stream(tagger, path, options, exec);
  std::vector<std::unique_ptr<SentenceReviewer>> reviewers;
  for (std::size_t slot = 0; slot < stream.slots(); ++slot) {
    reviewers.push_back(std::make_unique<SentenceReviewer>(
        tagger, parts, tagger.domain_of(options.as_domain)));
  }
  std::vector<std::vector<SentenceCandidate>> found(stream.slots());
  SentencePool pool;
  stream.run(
      [&](std::span<const Sentence> sentences, std::size_t slot) {
        for (const Sentence& sentence : sentences) {
          found[slot].push_back(reviewers[slot]->review(sentence));
        }
      },
      [&](std::span<const Sentence>, std::size_t slot) {
        for (SentenceCandidate& candidate : found[slot]) pool.add(std::move(candidate));
        found[slot].clear();
      });
  return pool.choose(budget, reviewers[0]->judge(), tagger.labels());
}

NextBatch next_sentences(const Tagger& tagger, std::span<const TokenList> lists,
                         std::size_t budget, const Execution& exec) {
  constexpr std::size_t kListsPerChunk = 64;
  const ModelPart parts = parts_of(tagger.model());
  std::vector<SentenceCandidate> found(lists.size());
  exec.parallel_for(lists.size(), kListsPerChunk, [&](std::size_t begin, std::size_t end) {
    SentenceReviewer reviewer(tagger, parts, tagger.model().target());
    for (std::size_t n = begin; n < end; ++n) {
      found[n] = reviewer.review(tagger.sentence(lists[n]));
    }
  });
  SentencePool pool;
  for (SentenceCandidate& candidate : found) pool.add(std::move(candidate));
  const SentenceReviewer reviewer(tagger, parts, tagger.model().target());
  return pool.choose(budget, reviewer.judge(), tagger.labels());
}

}  // namespace megadapt
