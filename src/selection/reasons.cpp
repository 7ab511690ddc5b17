#include "selection/reasons.hpp"

#include <fmt/format.h>

namespace megadapt {
namespace {

// From this probability on, the reason does not say "unsure". Such rows are chosen only when
// no others are left.
constexpr double kSure = 0.9;

std::string unsure_text(const Judgement& judgement, const std::vector<std::string>& labels,
                        std::string_view token) {
  const std::string about = token.empty() ? "" : fmt::format(" about '{}'", token);
  if (judgement.p_first >= kSure || labels.size() < 2) {
    return fmt::format("rather sure{}: {} {:.2f}", about, labels[judgement.first],
                       judgement.p_first);
  }
  return fmt::format("unsure{}: {} {:.2f}, {} {:.2f}", about, labels[judgement.first],
                     judgement.p_first, labels[judgement.second], judgement.p_second);
}

}  // namespace

std::vector<std::string> reasons_of(const Judgement& judgement, const RowJudge& judge,
                                    const std::vector<std::string>& labels,
                                    const ReasonFacts& facts, const char* kind) {
  std::vector<std::string> reasons{unsure_text(judgement, labels, facts.token)};
  if (judgement.opinions) {
    const auto& [a, b] = *judgement.opinions;
    reasons.push_back(fmt::format("{} says {}, {} says {}", judge.expert_name(a.expert),
                                  labels[a.label], judge.expert_name(b.expert),
                                  labels[b.label]));
  }
  if (2 * facts.unseen > facts.features) {
    reasons.push_back(fmt::format("{} of {} features are new to the model", facts.unseen,
                                  facts.features));
  }
  if (facts.like > 0) {
    reasons.push_back(
        fmt::format("like {} other {}{}", facts.like, kind, facts.like == 1 ? "" : "s"));
  }
  return reasons;
}

}  // namespace megadapt
