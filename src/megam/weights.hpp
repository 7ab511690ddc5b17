#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "megadapt/corpus.hpp"
#include "megam/examples.hpp"

namespace megadapt::megam {

/// The weights of a model: one for each feature, or one for each feature and class if the
/// classes share their features (multiclass without -explicit).
struct Weights {
  NameIndex features;
  NameIndex classes;          // with -nc, else empty
  std::uint32_t columns = 1;  // classes, or 1
  std::vector<double> value;  // [F][columns]

  /// p(class | example n) of a model that was made with these options.
  std::vector<double> probabilities(const Examples& examples, std::size_t n,
                                    const Options& options) const;
};

/// Reads what text_of() wrote, or MEGAM. Throws InputError for anything else, and for
/// weights that do not fit the options.
Weights read_weights(const std::string& path, const Options& options);

/// The weights as MEGAM prints them: a line FEATURE WEIGHT ... for each feature; with -nc
/// after a line with the names of the classes.
std::string text_of(const Weights& weights);

}  // namespace megadapt::megam
