#include <algorithm>
#include <charconv>

#include "results/json.hpp"
#include "systems/options.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

const char* const kMembers = "members";
const char* const kSeed = "seed";

Json number_or_text(const std::string& text) {
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (std::from_chars(text.data(), end, whole).ptr == end) return whole;
  double value = 0;
  if (std::from_chars(text.data(), end, value).ptr == end) return value;
  return text;
}

// JSON writes a number so that it reads as the same number.
std::string setting_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Json settings_json(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [name, value] : settings) object[name] = number_or_text(value);
  return object;
}

Json tuned_json(const Settings& settings, const Options& options) {
  Json object = settings_json(settings);
  if (options.calibration) object["calibration"] = *options.calibration;
  if (options.unlabelled_weight) object["unlabelled-weight"] = *options.unlabelled_weight;
  if (options.sharpen) object["sharpen"] = *options.sharpen;
  return object;
}

Json calibration_json(const std::vector<Calibration>& folds) {
  Calibration mean{.temperature = 0};
  const auto count = static_cast<double>(folds.size());
  std::size_t kept = 0;
  for (const Calibration& fold : folds) {
    mean.temperature += fold.temperature / count;
    mean.before += fold.before / count;
    mean.after += fold.after / count;
    kept += fold.kept;
  }
  return {{"temperature", mean.temperature},
          {"kept", static_cast<double>(kept) / count},
          {"log_loss", mean.after},
          {"log_loss_without", mean.before}};
}

Settings settings_from_json(const Json& object) {
  Settings settings;
  for (const auto& [name, value] : object.items()) {
    settings.emplace_back(name, setting_text(value));
  }
  return settings;
}

Json members_json(const std::vector<Member>& members) {
  Json list = Json::array();
  for (const Member& member : members) {
    list.push_back({{"name", member.system}});
    if (member.weight) list.back()["weight"] = *member.weight;
    list.back()["tuned"] = settings_json(member.settings);
  }
  return list;
}

Json options_json(const System& system, const Options& options) {
  const Options used = system.completed(options);
  const std::vector<std::string>& reads = system.traits().reads;
  Json object = Json::object();
  for (const auto& option : option_table()) {
    if (std::find(reads.begin(), reads.end(), option.name) == reads.end()) continue;
    for (const std::string& text : option.field.print(used)) {
      if (option.field.repeats) {
        object[option.name].push_back(number_or_text(text));
      } else {
        object[option.name] = number_or_text(text);
      }
    }
  }
  if (!options.members.empty()) object[kMembers] = members_json(options.members);
  object[kSeed] = options.seed;
  return object;
}

Options options_from_json(const Json& object) {
  Options options;
  for (const auto& [name, value] : object.items()) {
    if (name == kSeed) {
      options.seed = value;
    } else if (name == kMembers) {
      for (const Json& member : value) {
        Member& known = options.members.emplace_back();
        known.system = member.at("name");
        known.settings = settings_from_json(member.at("tuned"));
        if (member.contains("weight")) known.weight = member.at("weight").get<double>();
      }
    } else if (value.is_array()) {
      for (const Json& one : value) set_option(options, name, setting_text(one));
    } else {
      set_option(options, name, setting_text(value));
    }
  }
  return options;
}

}  // namespace megadapt
