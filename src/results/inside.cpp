#include "results/inside.hpp"

#include <algorithm>

#include "dataset/select_rows.hpp"
#include "decoding/decoding.hpp"
#include "features/features.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

const SystemResult* result_of(const Comparison& comparison, std::string_view name) {
  const auto found = std::ranges::find(comparison.systems, name, &SystemResult::name);
  const bool ran = found != comparison.systems.end() && found->left_out.empty();
  return ran ? &*found : nullptr;
}

bool has_gate(const SystemResult& system) {
  return find_system(system.name).traits().has_gate;
}

// Returns the most accurate of the systems that ran and pass the test.
template <class Passes>
const SystemResult* best_of(const Comparison& comparison, Passes passes) {
  const SystemResult* best = nullptr;
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty() || !passes(system)) continue;
    if (best == nullptr || system.evaluation.accuracy > best->evaluation.accuracy)
      best = &system;
  }
  return best;
}

class Looker {
 public:
  Looker(const Dataset& train, std::uint32_t target, const TestedRows& tested,
         const Comparison& comparison, const Execution& exec)
      : train_(train),
        target_(target),
        tested_(tested),
        exec_(exec),
        explained_(result_of(comparison, comparison.best)) {
    gated_ = explained_ != nullptr && has_gate(*explained_) ? explained_
                                                            : best_of(comparison, has_gate);
  }

  Inside look(const std::vector<std::size_t>& chosen) {
    if (explained_ != nullptr) inside_.explained = explained_->name;
    if (gated_ != nullptr) inside_.gated = gated_->name;
    std::size_t first = 0;  // index of the split's first row in tested_.rows
    auto next = chosen.begin();
    for (std::size_t s = 0; s < tested_.splits.size(); ++s) {
      const std::size_t last = first + tested_.splits[s].held_out.size();
      const auto end = std::lower_bound(next, chosen.end(), last);
      look_at(s, {next, end}, !tested_.folds);
      next = end;
      first = last;
    }
    if (tested_.folds && gated_ != nullptr) {
      keep_share(*fit(*gated_, gated_->options, train_, true));
    }
    return std::move(inside_);
  }

 private:
  void look_at(std::size_t s, std::vector<std::size_t> chosen, bool traced) {
    const Split& split = tested_.splits[s];
    const Dataset part = tested_.folds ? select_rows(train_, split.train) : Dataset();
    const Dataset& data = tested_.folds ? part : train_;
    Model model = empty_model(data);
    if (explained_ != nullptr) {
      model.predictor = fit(*explained_, explained_->fold_options[s], data,
                            traced && explained_ == gated_);
      explain_rows(model, chosen);
    }
    if (gated_ == nullptr) return;
    if (gated_ != explained_) {
      model.predictor = fit(*gated_, gated_->fold_options[s], data, traced);
    }
    if (traced) keep_share(*model.predictor);
    for (const std::size_t n : split.held_out) {
      inside_.general.push_back(
          model.predictor->general(tested_.data.rows[n], target_).value_or(1));
    }
  }

  PredictorPtr fit(const SystemResult& system, const Options& options, const Dataset& data,
                   bool traced) {
    FitContext context{.exec = exec_};
    if (traced) context.on_step = [this](const MixtureStep& step) { add_step(step); };
    return find_system(system.name).fit(data, target_, options, context);
  }

  void add_step(const MixtureStep& step) {
    Json shares = Json::object();
    for (std::uint32_t d = 0; d < train_.num_domains(); ++d) {
      shares[std::string(train_.domains().name(d))] = step.general_share[d];
    }
    inside_.trace.push_back({{"round", step.round},
                             {"step", step.step},
                             {"objective", step.objective},
                             {"bound", step.bound},
                             {"general_share", std::move(shares)}});
  }

  void keep_share(const Predictor& predictor) {
    inside_.share = predictor.general_share(target_);
  }

  // Returns a model with all that explain() needs except the predictor.
  Model empty_model(const Dataset& data) const {
    Model model;
    model.info.system = explained_ != nullptr ? explained_->name : "";
    model.info.target = train_.domains().name(target_);
    for (std::uint32_t d = 0; d < train_.num_domains(); ++d) {
      model.info.domains.push_back({.name = std::string(train_.domains().name(d)),
                                    .examples = data.rows_of(d).size(),
                                    .general_share = {}});
    }
    model.features = data.features().view();
    model.recipe = data.recipe;
    model.labels = data.label_names();
    return model;
  }

  void explain_rows(const Model& model, const std::vector<std::size_t>& chosen) {
    const std::size_t before = inside_.explanations.size();
    inside_.explanations.resize(before + chosen.size());
    exec_.parallel_for(chosen.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        inside_.explanations[before + i] =
            tested_.data.is_sequences()
                ? explain_token(model, chosen[i])
                : explain(model, tested_.data.rows[tested_.rows[chosen[i]]], target_,
                          labels_of(chosen[i]));
      }
    });
  }

  // Returns the labels to compare: a mistake with the right label if training has it, any
  // other prediction with the most probable other label.
  ExplainOptions labels_of(std::size_t place) const {
    const std::uint32_t predicted = explained_->predictions.label[place];
    const std::uint32_t right = tested_.data.label[tested_.rows[place]];
    ExplainOptions labels{.label = predicted};
    if (right != predicted && right < train_.num_labels()) labels.against = right;
    return labels;
  }

  // Decoding chose this label together with its neighbours. The previous label is one of
  // the features.
  Explanation explain_token(const Model& model, std::size_t place) const {
    const Dataset& data = tested_.data;
    const std::size_t n = tested_.rows[place];
    const auto& begins = data.sentence_begin;
    const bool first = std::binary_search(begins.begin(), begins.end(), n);
    const std::vector<std::uint32_t>& tags = explained_->predictions.label;
    const std::uint32_t previous = first ? kNone : tags[place - 1];
    const DatasetSentence token(*model.predictor, data, n, n + 1, target_);
    Explanation shown =
        explain(model, token.row_after(0, previous).view(), target_, labels_of(place));
    shown.predicted = tags[place];
    shown.previous = first ? kSentenceStart : data.label_name(previous);
    return shown;
  }

  const Dataset& train_;
  std::uint32_t target_;
  const TestedRows& tested_;
  const Execution& exec_;
  const SystemResult* explained_;
  const SystemResult* gated_ = nullptr;
  Inside inside_;
};

}  // namespace

Inside look_inside(const Dataset& train, std::uint32_t target, const TestedRows& tested,
                   const Comparison& comparison, const std::vector<std::size_t>& chosen,
                   const Execution& exec) {
  return Looker(train, target, tested, comparison, exec).look(chosen);
}

}  // namespace megadapt
