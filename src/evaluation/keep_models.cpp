#include <fmt/format.h>

#include <filesystem>

#include "megadapt/comparison.hpp"

namespace megadapt {
namespace {

std::string path_in(const std::string& folder, const std::string& system) {
  return (std::filesystem::path(folder) / (system + ".mega")).string();
}

Model refitted(const Dataset& train, std::uint32_t target, const SystemResult& system,
               const TuneOptions& tuning, bool tuned, Settings recorded,
               const Execution& exec) {
  if (tuned && !tuning.known.contains(system.name)) {
    recorded.emplace_back("tuned", how_tuned(tuning));
  }
  Model model = train_model(train, system.name, std::string(train.domains().name(target)),
                            system.options, std::move(recorded), {exec});
  exec.throw_if_stopped();
  return model;
}

}  // namespace

void prepare_to_keep(const KeptModels& kept) {
  if (!kept.best.empty()) check_model_path(kept.best);
  if (kept.folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(kept.folder, error);
  if (!std::filesystem::is_directory(kept.folder)) {
    throw UsageError(fmt::format("{}: cannot keep models there{}", kept.folder,
                                 error ? ": " + error.message() : ""),
                     "give --keep a folder that can be written");
  }
  check_model_path(path_in(kept.folder, "mix"));
}

void keep_models(const Dataset& train, std::uint32_t target, const Comparison& comparison,
                 const CompareOptions& options, const KeptModels& kept,
                 const Execution& exec) {
  for (const SystemResult& system : comparison.systems) {
    const bool best = !kept.best.empty() && system.name == comparison.best;
    const bool wanted = best || !kept.folder.empty();
    if (!wanted || !system.left_out.empty()) continue;
    if (options.on_progress) options.on_progress({"training " + system.name, 0});
    const Model model =
        refitted(train, target, system, options.tuning, options.tune, kept.recorded, exec);
    if (!kept.folder.empty()) save_model(model, path_in(kept.folder, system.name));
    if (best) save_model(model, kept.best);
  }
}

}  // namespace megadapt
