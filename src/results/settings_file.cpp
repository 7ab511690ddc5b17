#include "results/settings_file.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "base/mapped_file.hpp"
#include "evaluation/tuner.hpp"
#include "megadapt/error.hpp"
#include "results/json.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

// Whether settings of 0.1 belong to megaloo, which was removed, or to a stack that contains
// it.
bool names_megaloo(const Json& system) {
  const std::string gone = "megaloo";
  return system.at("name") == gone || system.at("tuned").contains(gone);
}

// Calls `take` with the JSON of a file that 'compare --json' wrote. Refuses settings that
// cannot be used here, where the error can name the file.
template <class Take>
auto from_comparison(const std::string& path, const Take& take) {
  const MappedFile file(path);
  try {
    return take(parse_json<Json>(file.text()));
  } catch (const nlohmann::json::exception&) {
    throw InputError({path}, "this is not the result of a comparison",
                     "give the file that 'megadapt compare --json' printed");
  } catch (const UsageError& error) {
    throw InputError({path}, error.headline(),
                     "give a file that this version of 'megadapt compare' wrote");
  }
}

}  // namespace

std::map<std::string, Settings> read_settings(const std::string& path) {
  return from_comparison(path, [](const Json& table) {
    std::map<std::string, Settings> known;
    for (const Json& system : table.at("systems")) {
      if (names_megaloo(system)) continue;
      const System& named = find_system(system.at("name").get<std::string>());
      Settings& settings = known[named.name()];
      settings = settings_from_json(system.at("tuned"));
      check_settings(named, settings);
    }
    return known;
  });
}

KnownFit read_fit(const std::string& path, const std::string& system) {
  return from_comparison(path, [&](const Json& table) -> KnownFit {
    const std::string name = system.empty() ? table.at("best").get<std::string>() : system;
    for (const Json& one : table.at("systems")) {
      if (one.at("name") != name) continue;
      return {name, options_from_json(one.contains("settings") ? one["settings"]
                                                               : one.at("tuned"))};
    }
    throw InputError({path},
                     name.empty() ? std::string("this comparison has no best system")
                                  : fmt::format("this comparison did not run {}", name),
                     "name another --system, or compare again");
  });
}

}  // namespace megadapt
