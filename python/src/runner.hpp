#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "megadapt/comparison.hpp"
#include "megadapt/execution.hpp"

namespace megadapt::python {

using OnProgress = std::function<void(const Progress&)>;
using Work = std::function<void(const Execution&, const OnProgress&)>;

/// Runs long work on a separate thread, without the interpreter's lock. Meanwhile this
/// thread checks for Ctrl-C, which stops the work between two iterations, and calls
/// `progress(stage, fraction)` unless it is None. Throws what the work threw.
void run(int threads, const pybind11::object& progress, const Work& work);

/// Returns the options that a system is told to use. Throws UsageError for an option that
/// it does not read.
Options options_for(const std::string& system, const Settings& settings,
                    std::uint64_t seed);

/// The members of a combination as Python passes them: system, settings, weight or None.
using Members = std::vector<std::tuple<std::string, Settings, std::optional<double>>>;
std::vector<Member> to_members(const Members& members);
Members from_members(const std::vector<Member>& members);

/// Sets options that are not tuned, as `--set` does.
void fix_options(const Settings& settings, TuneOptions& tuning);

/// Runs short work on this thread, without the interpreter's lock.
void run_here(int threads, const std::function<void(const Execution&)>& work);

}  // namespace megadapt::python
