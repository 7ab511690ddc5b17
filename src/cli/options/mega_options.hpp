#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "megadapt/systems.hpp"

namespace megadapt::cli {

/// Options of the MEGA systems as they were typed; what is empty is the system's default.
struct MegaArguments {
  MegaOptions values;
  std::string beta = "2,2";
  std::string init = "paper";
  std::string pi = "learn";
  std::vector<std::string> pi_init;
  std::string e_step;
  std::string centre;
  std::string gate;
  std::string psi_step;
  double specific_variance = 0;
  std::string prior_exponent;
  std::string trace;
};

void add_mega_options(CLI::App& command, MegaArguments& arguments);

/// Reads what was typed. UsageError with a remedy for what cannot be read.
MegaOptions mega_options(const MegaArguments& arguments);

/// For the provenance of a model, in the order of --help.
std::vector<std::pair<std::string, std::string>> recorded_options(
    const MegaArguments& arguments);

}  // namespace megadapt::cli
