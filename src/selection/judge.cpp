#include <algorithm>
#include <cmath>

#include "megadapt/selection.hpp"

namespace megadapt {
namespace {

// |x|: features that the model does not know have no gradient.
double length_of(RowView row, std::uint32_t num_features) {
  double squares = 0;
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    if (row.features[i] >= num_features) continue;
    const double x = row.values.empty() ? 1 : static_cast<double>(row.values[i]);
    squares += x * x;
  }
  return std::sqrt(squares);
}

// E_y |p - e_y|, where y has the distribution p and e_y is 1 at y and 0 elsewhere. The
// gradient of -log p(y | x) by the weights is the outer product of p - e_y and x.
double expected_residual(std::span<const double> p) {
  double squares = 0;
  for (const double q : p) squares += q * q;
  double expected = 0;
  for (const double q : p) {
    expected += q * std::sqrt(std::max(0.0, squares - 2 * q + 1));
  }
  return expected;
}

double total_variation(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t y = 0; y < p.size(); ++y) sum += std::abs(p[y] - q[y]);
  return sum / 2;
}

void rank_labels(std::span<const double> p, Judgement& judgement) {
  judgement.first = most_probable(p);
  judgement.second = judgement.first == 0 && p.size() > 1 ? 1 : 0;
  for (std::uint32_t y = 0; y < p.size(); ++y) {
    if (y != judgement.first && p[y] > p[judgement.second]) judgement.second = y;
  }
  judgement.p_first = p[judgement.first];
  judgement.p_second = p.size() > 1 ? p[judgement.second] : 0;
}

}  // namespace

RowJudge::RowJudge(const Predictor& predictor, const ModelPart& parts, std::uint32_t domain)
    : predictor_(predictor), domain_(domain), probability_(predictor.num_labels()) {
  find_experts(parts, domain);
  if (experts_.size() < 2) experts_.clear();
  opinions_.resize(experts_.size() * probability_.size());
}

// The experts are the general one and the domain's own, the models of all domains, the
// members of a combination, or the model and the sources whose predictions it sees.
void RowJudge::find_experts(const ModelPart& part, std::uint32_t domain) {
  if (part.has(PartRole::former)) {
    const ModelPart& former = part.children.front();
    return find_experts(former, former.domain.value_or(domain));
  }
  if (part.has(PartRole::general)) {
    for (const std::size_t c : {std::size_t{0}, std::size_t{1} + domain}) {
      const ModelPart& child = part.children.at(c);
      experts_.push_back({child.name, child.predictor, domain});
    }
    return;
  }
  if (part.has(PartRole::source)) experts_.push_back({"model", part.predictor, domain});
  for (const ModelPart& child : part.children) {
    experts_.push_back({child.name, child.predictor, child.domain.value_or(domain)});
  }
}

Judgement RowJudge::operator()(RowView row) {
  predictor_.predict(row, domain_, probability_);
  return (*this)(row, probability_);
}

Judgement RowJudge::operator()(RowView row, std::span<const double> probability) {
  Judgement judgement;
  rank_labels(probability, judgement);
  judgement.uncertainty = 1 - (judgement.p_first - judgement.p_second);
  judgement.change =
      expected_residual(probability) * length_of(row, predictor_.num_features());
  compare_experts(row, judgement);
  judgement.score =
      judgement.uncertainty * (1 + judgement.disagreement) * std::sqrt(judgement.change);
  return judgement;
}

void RowJudge::compare_experts(RowView row, Judgement& judgement) {
  const std::size_t Y = probability_.size();
  const auto opinion = [&](std::size_t e) {
    return std::span(opinions_).subspan(e * Y, Y);
  };
  for (std::size_t e = 0; e < experts_.size(); ++e) {
    experts_[e].predictor->predict(row, experts_[e].domain, opinion(e));
    for (std::size_t other = 0; other < e; ++other) {
      const double distance = total_variation(opinion(e), opinion(other));
      if (distance <= judgement.disagreement) continue;
      judgement.disagreement = distance;
      const std::uint32_t a = most_probable(opinion(other));
      const std::uint32_t b = most_probable(opinion(e));
      judgement.opinions.reset();
      if (a != b) {
        judgement.opinions = {{static_cast<std::uint32_t>(other), a},
                              {static_cast<std::uint32_t>(e), b}};
      }
    }
  }
}

}  // namespace megadapt
