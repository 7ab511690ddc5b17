#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/messages.hpp"
#include "systems/systems.hpp"

namespace megadapt {

std::span<const System* const> systems() {
  static const std::array all = {
      &only_source_system(), &only_target_system(),  &interpolation_system(),
      &mix_system(),         &weighted_mix_system(), &source_features_system(),
      &prior_system(),       &easy_adapt_system(),   &mega_system(),
      &pool_system(),        &stack_system(),
  };
  return all;
}

void refuse_former_system(std::string_view name) {
  if (name != "megaloo") return;
  throw UsageError("the system 'megaloo' was removed",
                   "use 'pool', which takes its place; models of megaloo still predict");
}

const System& find_system(std::string_view name) {
  std::vector<std::string> names;
  for (const System* system : systems()) {
    if (system->name() == name) return *system;
    names.emplace_back(system->name());
  }
  refuse_former_system(name);
  throw UsageError(
      fmt::format("there is no system '{}'", name),
      suggest(name, names, fmt::format("choose one of {}", fmt::join(names, ", "))));
}

}  // namespace megadapt
