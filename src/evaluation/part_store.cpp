#include "evaluation/part_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/sha256.hpp"
#include "execution/collectives.hpp"
#include "megadapt/version.hpp"

namespace megadapt {
namespace {

using nlohmann::json;

template <class T>
void add(corpus::Sha256& sha, std::span<const T> values) {
  sha.add(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  sha.add("|", 1);
}

void add(corpus::Sha256& sha, const std::string& text) {
  sha.add(text.data(), text.size());
  sha.add("|", 1);
}

void add(corpus::Sha256& sha, const Dataset& data) {
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    add(sha, row.features);
    add(sha, row.values);
  }
  add(sha, std::span(data.label));
  add(sha, std::span(data.domain));
  add(sha, std::span(data.weight));
  add(sha, std::span(data.group));
  add(sha, data.schema->digest());
  add(sha, data.recipe->digest());
  for (const std::string& label : data.extra_labels.names()) add(sha, label);
}

std::string known_text(const std::map<std::string, Settings>& known) {
  std::string text;
  for (const auto& [system, settings] : known) {
    text += fmt::format(" known {}", system);
    for (const auto& [name, value] : settings) text += fmt::format(" {}={}", name, value);
  }
  return text;
}

std::string options_text(const CompareOptions& options) {
  const TuneOptions& tuning = options.tuning;
  const AdaptationOptions& base = tuning.base;
  const MegaOptions& mega = base.mega;
  const auto given = [](const auto& value) {
    return value ? static_cast<double>(*value) : -1.0;
  };
  return fmt::format(
             "tune {} {} {} {} fixed {} folds {} variance {} {} {} tolerance {} {} {} out "
             "{} lini "
             "{} features {} inner {} mega {} {} {} {},{} {} {} {} {} {} {} {} {} {} {} "
             "{} {} "
             "precision "
             "{} seed {}",
             options.tune, tuning.dev_fraction, tuning.folds,
             static_cast<int>(tuning.criterion), fmt::join(tuning.fixed, ","),
             options.folds, base.variance, given(base.source_variance),
             base.specific_variance, base.tolerance, base.max_passes,
             static_cast<int>(base.optimizer), base.out_weight, given(base.interpolation),
             static_cast<int>(base.source_features), base.folds, mega.rounds,
             given(mega.specific_variance), given(mega.prior_exponent), mega.beta.a,
             mega.beta.b, mega.gate_features, mega.learn_share, given(mega.first_share),
             fmt::join(mega.first_share_of, ","), given(mega.e_step), mega.folds,
             given(mega.centre), given(mega.gate), mega.gate_variance, mega.temperature,
             mega.psi_sweeps, given(mega.psi_step), static_cast<int>(base.precision),
             base.seed) +
         known_text(tuning.known);
}

json settings_json(const Settings& settings) {
  json list = json::array();
  for (const auto& [name, value] : settings) list.push_back({name, value});
  return list;
}

Settings settings_of(const json& list) {
  Settings settings;
  for (const json& pair : list) settings.emplace_back(pair.at(0), pair.at(1));
  return settings;
}

json part_json(const Part& part) {
  json tried = json::array();
  for (const Trial& trial : part.tuned.tried) {
    tried.push_back({{"settings", settings_json(trial.settings)},
                     {"score", trial.score},
                     {"log_loss", trial.log_loss},
                     {"accuracy", trial.accuracy},
                     {"f1", trial.f1},
                     {"seconds", trial.seconds}});
  }
  return {{"system", part.tuned.system},
          {"left_out", part.left_out},
          {"settings", settings_json(part.tuned.settings)},
          {"tried", tried},
          {"held_out", part.tuned.held_out},
          {"duplicates", part.tuned.duplicates},
          {"tuning_seconds", part.tuned.seconds},
          {"rows", part.tuned.rows},
          {"probability", part.tuned.probability},
          {"labels", part.predictions.label},
          {"probabilities", part.predictions.probability},
          {"seconds", part.seconds}};
}

Part part_of(const json& text, const AdaptationOptions& base) {
  Part part;
  part.left_out = text.at("left_out");
  part.tuned.system = text.at("system");
  part.tuned.settings = settings_of(text.at("settings"));
  part.tuned.options = base;
  // The settings of a stack are its members' weights: nothing that one can set.
  if (part.tuned.system != "stack") set_options(part.tuned.options, part.tuned.settings);
  for (const json& trial : text.at("tried")) {
    part.tuned.tried.push_back({.settings = settings_of(trial.at("settings")),
                                .score = trial.at("score"),
                                .log_loss = trial.at("log_loss"),
                                .accuracy = trial.at("accuracy"),
                                .f1 = trial.at("f1"),
                                .seconds = trial.at("seconds")});
  }
  part.tuned.held_out = text.at("held_out");
  part.tuned.duplicates = text.at("duplicates");
  part.tuned.seconds = text.at("tuning_seconds");
  text.at("rows").get_to(part.tuned.rows);
  text.at("probability").get_to(part.tuned.probability);
  text.at("labels").get_to(part.predictions.label);
  text.at("probabilities").get_to(part.predictions.probability);
  part.seconds = text.at("seconds");
  return part;
}

void write_file(const std::string& path, const json& text) {
  AtomicFile file(path);
  file.write(text.dump() + "\n");
  file.commit();
}

json read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return json::parse(in, nullptr, false);
}

}  // namespace

std::string comparison_digest(const Dataset& train, std::uint32_t target,
                              const Dataset* test, const CompareOptions& options) {
  corpus::Sha256 sha;
  add(sha, std::string(version()));
  add(sha, train);
  add(sha, fmt::format("target {} test {}", target, test != nullptr));
  if (test) add(sha, *test);
  add(sha, options_text(options));
  return sha.finish();
}

PartStore::PartStore(std::string directory, const std::string& digest)
    : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (!std::filesystem::is_directory(directory_)) {
    throw UsageError(fmt::format("{}: cannot keep results there{}", directory_,
                                 error ? ": " + error.message() : ""),
                     "give --resume a directory that can be written");
  }
  const std::string manifest = directory_ + "/comparison.json";
  if (!std::filesystem::exists(manifest)) {
    write_file(manifest, {{"comparison", digest}});
    return;
  }
  const json known = read_file(manifest);
  if (!known.is_object() || known.value("comparison", "") != digest) {
    throw UsageError(
        fmt::format("{}: holds another comparison (data, options or version differ)",
                    directory_),
        "remove it to start anew, or name another directory");
  }
}

std::string PartStore::path(std::size_t split, const std::string& system) const {
  return fmt::format("{}/{}-{}.json", directory_, split + 1, system);
}

void PartStore::save(std::size_t split, const std::string& system, const Part& part) const {
  if (!directory_.empty()) write_file(path(split, system), part_json(part));
}

void PartStore::exchange(std::size_t split, const std::map<std::string, Part>& own,
                         Communicator& ranks) {
  json parts = json::object();
  for (const auto& [system, part] : own) parts[system] = part_json(part);
  json all = json::object();
  for (const std::string& message : gather(ranks, parts.dump())) {
    all.update(json::parse(message));
  }
  all = json::parse(broadcast(ranks, all.dump()));
  for (const auto& [system, part] : all.items()) {
    received_[path(split, system)] = part.dump();
  }
}

std::optional<Part> PartStore::load(std::size_t split, const std::string& system,
                                    const AdaptationOptions& base) const {
  const std::string file = path(split, system);
  const auto received = received_.find(file);
  if (received != received_.end()) return part_of(json::parse(received->second), base);
  if (directory_.empty()) return std::nullopt;
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    return part_of(read_file(file), base);
  } catch (const json::exception&) {
    throw UsageError(fmt::format("{}: is damaged", file), "remove it to compute it again");
  }
}

}  // namespace megadapt
