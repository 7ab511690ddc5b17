#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "inference/explanation_json.hpp"
#include "results/inside.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

// This many contributions take less than a megabyte.
constexpr std::size_t kContributions = 48'000;
constexpr std::size_t kFewestTerms = 6;
// All texts together take about this many bytes.
constexpr std::size_t kTextBytes = 1'000'000;
constexpr std::size_t kShortestText = 300;
constexpr std::size_t kMostTerms = 25;

// Rounds to five decimals.
Json decimal(double x) {
  const std::string text = fmt::format("{:.5f}", x);
  double nearest = 0;
  std::from_chars(text.data(), text.data() + text.size(), nearest);
  return nearest == 0 ? Json(0) : Json(nearest);
}

// Shrinks an explanation to a tenth of the bytes: terms become [feature id, contribution],
// or [id, contribution, value] if the value is not 1; probabilities become a list in the
// order of the labels; numbers keep five decimals.
void make_compact(Json& json, NameIndex& names) {
  if (json.is_number_float()) {
    json = decimal(json.get<double>());
  } else if (json.is_object() && json.contains("contribution") &&
             json.contains("feature")) {
    const double value = json["value"];
    Json term{names.add(json["feature"].get<std::string>()),
              decimal(json["contribution"].get<double>())};
    if (value != 1) term.push_back(decimal(value));
    json = std::move(term);
  } else if (json.is_object() && json.contains("probabilities")) {
    Json list = Json::array();
    for (const Json& p : json["probabilities"]) list.push_back(decimal(p.get<double>()));
    json["probabilities"] = std::move(list);
    for (auto& [name, part] : json.items()) {
      if (name != "probabilities") make_compact(part, names);
    }
  } else if (json.is_structured()) {
    for (Json& part : json) make_compact(part, names);
  }
}

// Cuts a text after at most `most` bytes, between two UTF-8 characters.
std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Returns the number of sums that an explanation shows.
std::size_t count_sums(const ComponentExplanation& part) {
  std::size_t sums = (part.components.empty() ? 1 : 0) + (part.gate ? 1 : 0);
  for (const ComponentExplanation& component : part.components)
    sums += count_sums(component);
  for (const ComponentExplanation& source : part.sources) sums += count_sums(source);
  return sums;
}

// Returns the position of each tested row among the rows of its file, from 0. If rows have
// no origin, the files of the target are assumed to follow each other.
std::vector<std::size_t> places_in_files(const TestedRows& tested) {
  std::vector<std::size_t> place = tested.rows;
  if (!tested.data.origin.empty()) {
    for (std::size_t& n : place) n = tested.data.origin[n].number - 1;
    return place;
  }
  if (!tested.folds || tested.rows.empty()) return place;
  const std::uint32_t target = tested.data.domain[tested.rows[0]];
  const std::vector<std::size_t> all = tested.data.rows_of(target);
  std::vector<std::size_t> file_begin{0};  // ordinals among the target's rows
  for (const SourceFile& source : tested.data.sources) {
    if (source.domain != tested.data.domains().name(target)) continue;
    file_begin.push_back(file_begin.back() + source.rows);
  }
  for (std::size_t& n : place) {
    const auto ordinal =
        static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), n) - all.begin());
    n = ordinal - *std::prev(std::ranges::upper_bound(file_begin, ordinal));
  }
  return place;
}

class Browser {
 public:
  Browser(const Dataset& train, const TestedRows& tested,
          const std::vector<std::size_t>& chosen, const std::vector<std::string>& texts)
      : train_(train), tested_(tested), chosen_(chosen) {
    if (texts.size() != data().num_examples()) return;
    const std::size_t most =
        std::max(kShortestText, kTextBytes / std::max<std::size_t>(1, chosen.size()));
    for (const std::size_t i : chosen) texts_.push_back(shortened(texts[row(i)], most));
    if (std::ranges::all_of(texts_, &std::string::empty)) texts_.clear();
  }

  Json gold() const {
    Json json = Json::array();
    for (const std::size_t i : chosen_) json.push_back(data().label[row(i)]);
    return json;
  }

  Json predicted(const Predictions& predictions) const {
    Json label = Json::array();
    Json probability = Json::array();
    const std::size_t num_labels = train_.num_labels();
    for (const std::size_t i : chosen_) {
      const std::uint32_t best = predictions.label[i];
      label.push_back(best);
      probability.push_back(decimal(predictions.probability[i * num_labels + best]));
    }
    return {{"label", std::move(label)}, {"probability", std::move(probability)}};
  }

  void add_texts(Json& json) const {
    if (!texts_.empty()) json["text"] = texts_;
  }

  // Adds the active features of rows without a text, except the bias and features of the
  // true previous tag, and the values of rows where one is not 1.
  void add_features(Json& json, NameIndex& names) const {
    Json active = Json::array();
    Json values = Json::array();
    const std::uint32_t bias = data().bias();
    for (std::size_t c = 0; c < chosen_.size(); ++c) {
      Json ids = Json::array();
      Json own = Json::array();
      if (!texts_.empty() && !texts_[c].empty()) {
        active.push_back(std::move(ids));
        values.push_back(nullptr);
        continue;
      }
      const RowView view = data().rows[row(chosen_[c])];
      for (std::size_t f = 0; f < view.features.size(); ++f) {
        if (view.features[f] == bias || of_tag(view.features[f])) continue;
        ids.push_back(names.add(data().features().name(view.features[f])));
        if (!view.values.empty()) own.push_back(decimal(view.values[f]));
      }
      active.push_back(std::move(ids));
      values.push_back(view.values.empty() ? Json(nullptr) : std::move(own));
    }
    json["active"] = std::move(active);
    if (!data().rows.value.empty()) json["values"] = std::move(values);
  }

  void add_groups(Json& json) const {
    if (data().group.empty()) return;
    Json groups = Json::array();
    for (const std::size_t i : chosen_) {
      const std::uint32_t group = data().group[row(i)];
      groups.push_back(group == kNone ? Json(nullptr) : Json(data().groups().name(group)));
    }
    json["group"] = std::move(groups);
  }

  void add_gate(Json& json, const Inside& inside) const {
    if (inside.general.empty()) return;
    json["general_system"] = inside.gated;
    json["general"] = Json::array();
    for (const std::size_t i : chosen_)
      json["general"].push_back(decimal(inside.general[i]));
  }

  void add_explanations(Json& json, NameIndex& names, Inside& inside) const {
    if (inside.explanations.empty()) return;
    std::size_t sums = 0;
    for (const Explanation& explanation : inside.explanations) {
      sums += count_sums(explanation.model);
    }
    const std::size_t top = std::clamp(kContributions / sums, kFewestTerms, kMostTerms);
    json["explained"] = inside.explained;
    Json all = Json::array();
    for (Explanation& explanation : inside.explanations) {
      keep_strongest(explanation, top);
      Json one = explanation_json(explanation);
      make_compact(one, names);
      all.push_back(std::move(one));
    }
    json["explanations"] = std::move(all);
  }

 private:
  const Dataset& data() const { return tested_.data; }
  std::size_t row(std::size_t i) const { return tested_.rows[i]; }
  bool of_tag(std::uint32_t feature) const {
    return data().is_sequences() && data().is_tag_feature(feature);
  }

  const Dataset& train_;
  const TestedRows& tested_;
  const std::vector<std::size_t>& chosen_;
  std::vector<std::string> texts_;  // [chosen], or empty
};

}  // namespace

Json row_browser_json(const Dataset& train, const TestedRows& tested,
                      const Comparison& comparison, Inside& inside,
                      const std::vector<std::size_t>& chosen,
                      const std::vector<std::string>& texts) {
  const Browser browser(train, tested, chosen, texts);
  NameIndex names;
  Json json{{"of", tested.rows.size()},
            {"labels", tested.data.label_names()},
            {"row", Json::array()},
            {"gold", browser.gold()},
            {"predicted", Json::object()}};
  const std::vector<std::size_t> place = places_in_files(tested);
  for (const std::size_t i : chosen) json["row"].push_back(place[i]);
  for (const SystemResult& system : comparison.systems) {
    if (!system.left_out.empty()) continue;
    json["predicted"][system.name] = browser.predicted(system.predictions);
  }
  browser.add_texts(json);
  browser.add_features(json, names);
  browser.add_groups(json);
  browser.add_gate(json, inside);
  browser.add_explanations(json, names, inside);
  json["features"] = names.names();
  return json;
}

}  // namespace megadapt
