#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace megadapt {

/// Data drawn from the model of D&M06 §3, so that the assumptions of the mixture hold and
/// the best possible accuracy is known. There are two domains, "out" and "in". A row has
///
/// - markers, which tell whether it is general or specific: a marker is present with
///   probability (1 + reveal) / 2 in one kind of row and (1 - reveal) / 2 in the other,
/// - words, which tell the label: a word is present with probability 0.2 in every row and
///   adds `strength` to the log-odds of one label. In the specific component of a domain it
///   speaks for another label with probability `conflict`.
struct Planting {
  std::size_t source_rows = 8000;
  std::size_t target_rows = 600;
  std::size_t test_rows = 4000;
  double source_general = 0.5;  ///< pi of "out"
  double target_general = 0.3;  ///< pi of "in"
  double conflict = 1;          ///< 0: the components agree; 1: no word keeps its label
  double reveal = 0.6;          ///< 0: x does not tell the component; 1: it is certain
  std::uint32_t labels = 2;
  std::uint32_t words = 60;
  std::uint32_t markers = 10;
  double strength = 1;
  std::uint64_t seed = 1;
};

struct PlantedRow {
  std::uint32_t label = 0;
  bool general = false;
  std::vector<std::uint32_t> features;  ///< markers first, then words; ascending
};

/// The components of a planting, and rows drawn from them.
class PlantedModel {
 public:
  /// Throws UsageError for a planting that cannot be drawn.
  explicit PlantedModel(const Planting& planting);

  /// Returns rows of a domain. Different `draw`s are independent.
  std::vector<PlantedRow> draw_source(std::size_t rows, std::uint64_t draw) const;
  std::vector<PlantedRow> draw_target(std::size_t rows, std::uint64_t draw) const;

  /// p(y | x) of a target row under the true model: [labels].
  std::vector<double> probability(const PlantedRow& row) const;
  /// The accuracy of predictions by the true model, over `rows` drawn rows of the target.
  double bayes_accuracy(std::size_t rows) const;

  std::string feature_name(std::uint32_t feature) const;
  static std::string label_name(std::uint32_t label);

 private:
  enum Kind { kGeneral, kSource, kTarget };

  std::vector<PlantedRow> draw(std::size_t rows, double general, Kind specific,
                               std::uint64_t seed) const;
  std::vector<double> label_probability(const PlantedRow& row, Kind kind) const;

  Planting planting_;
  std::vector<std::uint32_t> speaks_for_[3];  // [kind][words]; a label
};

}  // namespace megadapt
