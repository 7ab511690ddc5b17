#include "evaluation/part_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/json.hpp"
#include "base/mapped_file.hpp"
#include "base/sha256.hpp"
#include "container/container.hpp"
#include "execution/collectives.hpp"
#include "megadapt/error.hpp"
#include "systems/options.hpp"

namespace megadapt {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Calibration, temperature, before, after, kept)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(UnlabelledTrial, weight, sharpen, log_loss,
                                   log_loss_without)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Trial, settings, score, log_loss, accuracy, f1, seconds)

// A member without a weight has null in JSON.
static void to_json(nlohmann::json& out, const Member& member) {
  out = {{"system", member.system}, {"settings", member.settings}, {"weight", nullptr}};
  if (member.weight) out["weight"] = *member.weight;
}
static void from_json(const nlohmann::json& in, Member& member) {
  in.at("system").get_to(member.system);
  in.at("settings").get_to(member.settings);
  if (!in.at("weight").is_null()) member.weight = in.at("weight").get<double>();
}

namespace {

using nlohmann::json;

template <class T>
void add(corpus::Sha256& sha, std::span<const T> values) {
  const std::uint64_t size = values.size();
  sha.add(reinterpret_cast<const char*>(&size), sizeof(size));
  sha.add(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Identifies a data set: its rows, what their ids mean, how they were read, and its
// unlabelled rows.
std::string data_digest(const Dataset& data) {
  corpus::Sha256 sha;
  for (std::size_t n = 0; n < data.num_examples(); ++n) {
    const RowView row = data.rows[n];
    add(sha, row.features);
    add(sha, row.values);
  }
  add(sha, std::span<const std::uint32_t>(data.label));
  if (!data.soft.empty()) {
    add(sha, std::span<const std::uint64_t>(data.soft.row));
    add(sha, std::span<const std::uint64_t>(data.soft.begin));
    add(sha, std::span<const LabelShare>(data.soft.shares));
  }
  add(sha, std::span<const std::uint32_t>(data.domain));
  add(sha, std::span<const float>(data.weight));
  add(sha, std::span<const std::uint32_t>(data.group));
  add(sha, std::span<const std::uint64_t>(data.sentence_begin));
  std::vector<std::string> texts = data.extra_labels.names();
  texts.insert(texts.end(), {data.schema->digest(), data.recipe->digest()});
  if (data.unlabelled) texts.push_back(data_digest(*data.unlabelled));
  for (const std::string& text : texts) add(sha, std::span(text.data(), text.size()));
  return sha.finish();
}

std::string digest_of(const std::string& text) {
  corpus::Sha256 sha;
  sha.add(text.data(), text.size());
  return sha.finish();
}

json part_json(const Part& part) {
  json calibration;
  if (part.tuned.calibration) calibration = *part.tuned.calibration;
  const std::optional<double>& temperature = part.tuned.options.calibration;
  json unlabelled;
  if (part.tuned.unlabelled) unlabelled = *part.tuned.unlabelled;
  return {{"unlabelled", unlabelled},
          {"later",
           option_table().record(part.tuned.options, {"unlabelled-weight", "sharpen"})},
          {"calibration", calibration},
          {"temperature", temperature ? json(*temperature) : json()},
          {"system", part.tuned.system},
          {"left_out", part.left_out},
          {"settings", part.tuned.settings},
          {"members", part.tuned.options.members},
          {"tried", part.tuned.tried},
          {"dropped", part.tuned.dropped},
          {"held_out", part.tuned.held_out},
          {"source_share", part.tuned.source_share},
          {"fits", part.tuned.fits},
          {"passes", part.tuned.passes},
          {"cut_short", part.tuned.cut_short},
          {"duplicates", part.tuned.duplicates},
          {"tuning_seconds", part.tuned.seconds},
          {"seconds", part.seconds}};
}

std::string part_bytes(const Part& part, const std::string& origin) {
  const std::vector<std::uint64_t> rows(part.tuned.rows.begin(), part.tuned.rows.end());
  SectionWriter out;
  out.add("origin", origin);
  out.add("part", json_text(part_json(part)));
  out.add("tuned/rows", std::span<const std::uint64_t>(rows));
  out.add("tuned/probability", std::span<const double>(part.tuned.probability));
  out.add("tuned/distribution", std::span<const double>(part.tuned.distribution));
  out.add("labels", std::span<const std::uint32_t>(part.predictions.label));
  out.add("probabilities", std::span<const double>(part.predictions.probability));
  out.add("without/labels", std::span<const std::uint32_t>(part.without.label));
  out.add("without/probabilities", std::span<const double>(part.without.probability));
  std::string bytes;
  write_container(out, [&](std::span<const std::byte> some) {
    bytes.append(reinterpret_cast<const char*>(some.data()), some.size());
  });
  return bytes;
}

void read_tuned(const json& text, const System& system, Tuned& tuned) {
  tuned.system = text.at("system");
  tuned.settings = text.at("settings").get<Settings>();
  text.at("members").get_to(tuned.options.members);
  if (system.members().empty()) set_options(tuned.options, tuned.settings);
  if (!text.at("calibration").is_null()) {
    tuned.calibration = text.at("calibration").get<Calibration>();
  }
  // Settings from --settings may have a temperature although nothing was calibrated here.
  if (const json& temperature = text.at("temperature"); !temperature.is_null()) {
    tuned.options.calibration = temperature.get<double>();
  }
  if (!text.at("unlabelled").is_null()) {
    tuned.unlabelled = text.at("unlabelled").get<UnlabelledTrial>();
  }
  set_options(tuned.options, text.at("later").get<Settings>());
  text.at("tried").get_to(tuned.tried);
  tuned.dropped = text.at("dropped");
  tuned.held_out = text.at("held_out");
  tuned.source_share = text.at("source_share");
  tuned.fits = text.at("fits");
  tuned.passes = text.at("passes");
  tuned.cut_short = text.at("cut_short");
  tuned.duplicates = text.at("duplicates");
  tuned.seconds = text.at("tuning_seconds");
}

template <class T, class Passes>
bool all_pass(const std::vector<T>& values, Passes passes) {
  return std::all_of(values.begin(), values.end(), passes);
}

// Whether every array has the right size and every number is in range.
bool fits(const Part& part, const System& system, const PartShape& shape) {
  const Predictions& found = part.predictions;
  const std::size_t rows = part.left_out.empty() ? shape.tested_rows : 0;
  const auto is_share = [](double p) { return p >= 0 && p <= 1 + 1e-9; };
  const std::size_t members = part.tuned.options.members.size();
  return (part.tuned.system == system.name() || !part.left_out.empty()) &&
         (members == 0 || members == system.members().size()) &&
         found.label.size() == rows && found.probability.size() == rows * shape.labels &&
         (part.without.label.empty() || part.without.label.size() == rows) &&
         part.without.probability.size() == part.without.label.size() * shape.labels &&
         all_pass(part.without.label, [&](std::uint32_t y) { return y < shape.labels; }) &&
         all_pass(part.without.probability, is_share) &&
         part.tuned.rows.size() >= part.tuned.probability.size() &&
         all_pass(found.label, [&](std::uint32_t y) { return y < shape.labels; }) &&
         all_pass(found.probability, is_share) &&
         all_pass(part.tuned.probability, is_share) &&
         all_pass(part.tuned.distribution, is_share) &&
         (part.tuned.distribution.empty() ||
          part.tuned.distribution.size() == part.tuned.rows.size() * shape.labels) &&
         all_pass(part.tuned.rows, [&](std::size_t n) { return n < shape.train_rows; });
}

void read_part(const Container& in, const System& system, Part& part) {
  const json text = parse_json(in.text("part"));
  part.left_out = text.at("left_out");
  part.seconds = text.at("seconds");
  read_tuned(text, system, part.tuned);
  const auto rows = in.u64("tuned/rows");
  const auto probability = in.f64("tuned/probability");
  const auto label = in.u32("labels");
  const auto probabilities = in.f64("probabilities");
  part.tuned.rows.assign(rows.begin(), rows.end());
  part.tuned.probability.assign(probability.begin(), probability.end());
  const auto distribution = in.f64("tuned/distribution");
  part.tuned.distribution.assign(distribution.begin(), distribution.end());
  part.predictions.label.assign(label.begin(), label.end());
  part.predictions.probability.assign(probabilities.begin(), probabilities.end());
  const auto without = in.u32("without/labels");
  const auto without_probabilities = in.f64("without/probabilities");
  part.without.label.assign(without.begin(), without.end());
  part.without.probability.assign(without_probabilities.begin(),
                                  without_probabilities.end());
}

Part part_of(const std::string& bytes, const std::string& file, const std::string& origin,
             const System& system, const Options& base, const PartShape& shape) {
  Part part;
  part.tuned.options = base;
  std::string problem = "is damaged";
  try {
    const Container in(std::as_bytes(std::span(bytes)), file);
    in.verify_checksums();
    if (in.text("origin") == origin) {
      read_part(in, system, part);
      if (fits(part, system, shape)) return part;
    } else {
      problem = "is a part of another comparison";
    }
  } catch (const json::exception&) {
  } catch (const Error&) {
  }
  throw UsageError(fmt::format("{}: {}", file, problem), "remove it to compute it again");
}

// Appends a text, preceded by its size, to a message.
void add_framed(std::string& message, const std::string& text) {
  message += fmt::format("{} ", text.size());
  message += text;
}

std::string take_framed(std::string_view& message) {
  const std::size_t space = message.find(' ');
  const std::size_t size = std::stoul(std::string(message.substr(0, space)));
  const std::string text(message.substr(space + 1, size));
  message.remove_prefix(space + 1 + size);
  return text;
}

// Returns "" if the file is not one of ours.
std::string manifest_digest(const std::string& path) {
  try {
    return parse_json(MappedFile(path).text()).at("data");
  } catch (const json::exception&) {
    return {};
  }
}

void open_directory(const std::string& directory, const std::string& digest) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!std::filesystem::is_directory(directory)) {
    throw UsageError(fmt::format("{}: cannot keep results there{}", directory,
                                 error ? ": " + error.message() : ""),
                     "give --resume a directory that can be written");
  }
  const std::string manifest = directory + "/comparison.json";
  if (!std::filesystem::exists(manifest)) {
    AtomicFile file(manifest);
    file.write(json_text(json{{"data", digest}}) + "\n");
    file.commit();
    return;
  }
  if (manifest_digest(manifest) != digest) {
    throw UsageError(
        fmt::format(
            "{}: contains another comparison (other data, input options or version)",
            directory),
        "remove it to start again, or name another directory");
  }
}

}  // namespace

std::string part_options(const System& system, const CompareOptions& options,
                         bool has_test) {
  const TuneOptions& tuning = options.tuning;
  std::string text = options_text(system, tuning.base);
  if (!has_test) text += fmt::format("test folds={}\n", options.folds);
  if (!options.tune) return text + "not tuned\n";
  text += tuning.dev_fraction ? fmt::format("dev-fraction={}\n", *tuning.dev_fraction)
                              : fmt::format("tune-folds={}\n", tuning.folds);
  text += fmt::format("criterion={}\n", criterion_name(tuning.criterion));
  text += fmt::format("effort={}\n", effort_name(tuning.effort));
  if (tuning.source_share) text += fmt::format("source-share={}\n", *tuning.source_share);
  if (tuning.calibrate) text += "calibrated\n";
  const std::vector<std::string>& reads = system.traits().reads;
  for (const std::string& name : tuning.fixed) {
    if (std::find(reads.begin(), reads.end(), name) == reads.end()) continue;
    text += fmt::format("fixed {}\n", name);
  }
  std::vector<const System*> tuned = system.members();
  tuned.push_back(&system);
  for (const System* one : tuned) {
    const auto budget = tuning.budget.find(one->name());
    if (budget != tuning.budget.end()) {
      text += fmt::format("budget {}={}\n", one->name(), budget->second);
    }
    const auto known = tuning.known.find(one->name());
    if (known == tuning.known.end()) continue;
    for (const auto& [name, value] : known->second) {
      text += fmt::format("known {} {}={}\n", one->name(), name, value);
    }
  }
  return text;
}

PartStore::PartStore(const Dataset& train, std::uint32_t target, const Dataset* test,
                     const CompareOptions& options)
    : options_(options), has_test_(test != nullptr) {
  if (options.resume.empty()) return;
  digest_ =
      digest_of(fmt::format("megadapt {}\n{}\n{}\n{}\n", version(), data_digest(train),
                            target, test ? data_digest(*test) : "no test rows"));
  open_directory(options.resume, digest_);
}

std::string PartStore::name(std::size_t split, const System& system) const {
  return fmt::format("{}-{}-{}.part", split + 1, system.name(),
                     digest_of(part_options(system, options_, has_test_)).substr(0, 16));
}

std::string PartStore::path(std::size_t split, const System& system) const {
  return options_.resume + "/" + name(split, system);
}

std::string PartStore::origin(std::size_t split, const System& system) const {
  return digest_ + "/" + name(split, system);
}

double PartStore::limit_for(double seconds, const std::function<double()>& find) const {
  if (options_.resume.empty()) return find();
  const std::string file = fmt::format("{}/limit-{}s.json", options_.resume, seconds);
  if (std::filesystem::exists(file)) {
    try {
      const double passes = parse_json(MappedFile(file).text()).at("passes");
      if (passes > 0) return passes;
    } catch (const json::exception&) {
    }
    throw UsageError(fmt::format("{}: is damaged", file), "remove it to plan again");
  }
  const double passes = find();
  AtomicFile out(file);
  out.write(json_text(json{{"passes", passes}}) + "\n");
  out.commit();
  return passes;
}

void PartStore::save(std::size_t split, const System& system, const Part& part) const {
  if (options_.resume.empty()) return;
  AtomicFile file(path(split, system));
  file.write(part_bytes(part, origin(split, system)));
  file.commit();
}

void PartStore::exchange(std::size_t split, const std::map<std::string, Part>& own,
                         Communicator& ranks) {
  std::string mine;
  for (const auto& [system, part] : own) {
    add_framed(mine, system);
    add_framed(mine, part_bytes(part, origin(split, find_system(system))));
  }
  std::string all;
  for (const std::string& message : gather(ranks, mine)) all += message;
  all = broadcast(ranks, std::move(all));
  for (std::string_view rest = all; !rest.empty();) {
    const std::string system = take_framed(rest);
    received_[path(split, find_system(system))] = take_framed(rest);
  }
}

std::optional<Part> PartStore::load(std::size_t split, const System& system,
                                    const PartShape& shape) const {
  const std::string file = path(split, system);
  const Options& base = options_.tuning.base;
  const auto received = received_.find(file);
  if (received != received_.end()) {
    return part_of(received->second, file, origin(split, system), system, base, shape);
  }
  if (options_.resume.empty() || !std::filesystem::exists(file)) return std::nullopt;
  return part_of(std::string(MappedFile(file).text()), file, origin(split, system), system,
                 base, shape);
}

}  // namespace megadapt
