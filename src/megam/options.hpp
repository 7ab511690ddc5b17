#pragma once

#include <string>
#include <vector>

namespace megadapt::megam {

/// What MEGAM's command line says; the defaults are MEGAM's.
struct Options {
  bool binary = false;  ///< else multiclass
  std::string file;     ///< - for standard input
  bool explicit_features = false;
  bool values = false;
  bool bias = true;
  bool named_classes = false;
  bool tune = false;
  bool quiet = false;
  double lambda = 1;  ///< precision of the Gaussian prior
  int iterations = 100;
  int repeats = 1;
  double min_change = 0;  ///< of the mean loss; 0 for none
  std::string start;      ///< weights to start from; empty for none
  std::string mean;       ///< mean of the prior; empty for 0
  std::string weights;    ///< to predict with; empty to train
  bool help = false;
  bool version = false;
  bool man_page = false;
};

/// Throws UsageError. If MEGAM has an option that this program lacks, the message names it.
Options parse_options(const std::vector<std::string>& words);

std::string help_text();

/// Returns megam-megadapt(1) in mdoc.
std::string man_page();

}  // namespace megadapt::megam
