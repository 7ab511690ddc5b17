#include "mega/plant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "megadapt/error.hpp"

namespace megadapt {
namespace {

constexpr double kWordPresence = 0.2;
constexpr std::uint64_t kBayesDraw = 3;
constexpr double kMostStrength = 100;  // one word then gives a probability of 1

void require_share(const char* what, double value) {
  if (value >= 0 && value <= 1) return;
  throw UsageError(fmt::format("the {} {} is not between 0 and 1", what, value),
                   "give a number from 0 to 1");
}

void check(const Planting& planting) {
  require_share("general share", planting.source_general);
  require_share("general share", planting.target_general);
  require_share("conflict", planting.conflict);
  require_share("reveal", planting.reveal);
  if (!(planting.strength >= 0 && planting.strength <= kMostStrength)) {
    throw UsageError(fmt::format("the strength {} is not between 0 and {}",
                                 planting.strength, kMostStrength),
                     "give a number such as 1");
  }
  if (planting.labels < 2) {
    throw UsageError(fmt::format("{} label leaves nothing to learn", planting.labels),
                     "plant 2 labels or more");
  }
  if (planting.words < planting.labels) {
    throw UsageError(fmt::format("{} words cannot tell {} labels apart", planting.words,
                                 planting.labels),
                     "plant at least as many words as labels");
  }
}

std::uint32_t drawn_label(const std::vector<double>& probability, double uniform) {
  std::uint32_t label = 0;
  while (label + 1 < probability.size() && uniform >= probability[label]) {
    uniform -= probability[label++];
  }
  return label;
}

}  // namespace

PlantedModel::PlantedModel(const Planting& planting) : planting_(planting) {
  check(planting);
  Random random(planting.seed);
  const std::uint32_t Y = planting.labels;
  for (std::uint32_t w = 0; w < planting.words; ++w) {
    const std::uint32_t label = w % Y;
    speaks_for_[kGeneral].push_back(label);
    for (const Kind kind : {kSource, kTarget}) {
      const bool differs = random.uniform() < planting.conflict;
      const std::uint32_t other = (label + 1 + random.below(Y - 1)) % Y;
      speaks_for_[kind].push_back(differs ? other : label);
    }
  }
}

std::vector<PlantedRow> PlantedModel::draw_source(std::size_t rows,
                                                  std::uint64_t draw_id) const {
  return draw(rows, planting_.source_general, kSource, 2 * draw_id);
}

std::vector<PlantedRow> PlantedModel::draw_target(std::size_t rows,
                                                  std::uint64_t draw_id) const {
  return draw(rows, planting_.target_general, kTarget, 2 * draw_id + 1);
}

std::vector<PlantedRow> PlantedModel::draw(std::size_t rows, double general, Kind specific,
                                           std::uint64_t seed) const {
  Random random((planting_.seed << 20) + seed + 1);
  std::vector<PlantedRow> drawn(rows);
  for (PlantedRow& row : drawn) {
    row.general = random.uniform() < general;
    for (std::uint32_t m = 0; m < planting_.markers; ++m) {
      const double sign = row.general == (m % 2 == 0) ? 1 : -1;
      if (random.uniform() < (1 + sign * planting_.reveal) / 2) row.features.push_back(m);
    }
    for (std::uint32_t w = 0; w < planting_.words; ++w) {
      if (random.uniform() < kWordPresence) row.features.push_back(planting_.markers + w);
    }
    const Kind kind = row.general ? kGeneral : specific;
    row.label = drawn_label(label_probability(row, kind), random.uniform());
  }
  return drawn;
}

std::vector<double> PlantedModel::label_probability(const PlantedRow& row,
                                                    Kind kind) const {
  std::vector<double> p(planting_.labels);
  for (const std::uint32_t f : row.features) {
    if (f < planting_.markers) continue;
    p[speaks_for_[kind][f - planting_.markers]] += planting_.strength;
  }
  const double largest = *std::max_element(p.begin(), p.end());
  double sum = 0;
  for (double& s : p) sum += s = std::exp(s - largest);
  for (double& s : p) s /= sum;
  return p;
}

// The words do not depend on the component, so P(general | x) follows from the markers. A
// marker that fits a general row multiplies the odds by (1 + reveal) / (1 - reveal).
std::vector<double> PlantedModel::probability(const PlantedRow& row) const {
  double fitting = 0;
  std::vector<bool> present(planting_.markers);
  for (const std::uint32_t f : row.features) {
    if (f < planting_.markers) present[f] = true;
  }
  for (std::uint32_t m = 0; m < planting_.markers; ++m) {
    fitting += present[m] == (m % 2 == 0) ? 1 : -1;
  }
  const double up = (1 + planting_.reveal) / 2, down = (1 - planting_.reveal) / 2;
  const double fit = (planting_.markers + fitting) / 2;
  const double general = planting_.target_general * std::pow(up, fit) *
                         std::pow(down, planting_.markers - fit);
  const double specific = (1 - planting_.target_general) * std::pow(down, fit) *
                          std::pow(up, planting_.markers - fit);
  std::vector<double> p = label_probability(row, kGeneral);
  const std::vector<double> own = label_probability(row, kTarget);
  for (std::size_t y = 0; y < p.size(); ++y) {
    p[y] = (general * p[y] + specific * own[y]) / (general + specific);
  }
  return p;
}

double PlantedModel::bayes_accuracy(std::size_t rows) const {
  double sum = 0;
  for (const PlantedRow& row : draw_target(rows, kBayesDraw)) {
    const std::vector<double> p = probability(row);
    sum += *std::max_element(p.begin(), p.end());
  }
  return sum / static_cast<double>(rows);
}

std::string PlantedModel::feature_name(std::uint32_t feature) const {
  return feature < planting_.markers ? fmt::format("marker{}", feature)
                                     : fmt::format("word{}", feature - planting_.markers);
}

std::string PlantedModel::label_name(std::uint32_t label) {
  return fmt::format("label{}", label);
}

}  // namespace megadapt
