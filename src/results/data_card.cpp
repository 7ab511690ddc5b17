#include <cmath>
#include <numeric>
#include <set>
#include <unordered_set>

#include "dataset/row_checks.hpp"
#include "results/origin.hpp"

namespace megadapt {
namespace {

using Json = nlohmann::ordered_json;

std::size_t repeated(const Dataset& data, RowIds rows) {
  std::unordered_set<std::size_t> seen;
  for (const std::size_t n : rows) seen.insert(row_key(data, n));
  return rows.size() - seen.size();
}

Json labels_json(const Dataset& data, RowIds rows) {
  std::vector<std::size_t> count(data.num_labels());
  for (const std::size_t n : rows) {
    if (data.label[n] != kNone) ++count[data.label[n]];
  }
  Json json = Json::object();
  for (std::uint32_t y = 0; y < data.num_labels(); ++y) {
    if (count[y] > 0) json[std::string(data.label_name(y))] = count[y];
  }
  return json;
}

Json card(const Dataset& data, RowIds rows, const std::string& name, const char* part) {
  std::set<std::uint32_t> groups;
  double active = 0;
  for (const std::size_t n : rows) {
    active += static_cast<double>(data.rows[n].features.size());
    if (!data.group.empty() && data.group[n] != kNone) groups.insert(data.group[n]);
  }
  if (data.bias() != kNone) active -= static_cast<double>(rows.size());
  const double per_row = rows.empty() ? 0 : active / static_cast<double>(rows.size());
  Json json{{"name", name},
            {"part", part},
            {"examples", rows.size()},
            {"labels", labels_json(data, rows)},
            {"groups", groups.size()},
            {"features_per_example", std::round(100 * per_row) / 100},
            {"files", Json::array()}};
  for (const SourceFile& source : data.sources) {
    if (source.domain != name) continue;
    json["files"].push_back(
        {{"file", source.file}, {"sha256", source.sha256}, {"rows", source.rows}});
  }
  return json;
}

}  // namespace

Json data_card_json(const Dataset& train, std::uint32_t target, const Dataset* test) {
  Json domains = Json::array();
  for (std::uint32_t d = 0; d < train.num_domains(); ++d) {
    const std::vector<std::size_t> rows = train.rows_of(d);
    Json json = card(train, rows, std::string(train.domains().name(d)), "training");
    json["duplicates"] = repeated(train, rows);
    domains.push_back(std::move(json));
  }
  const std::string target_name(train.domains().name(target));
  if (test) {
    std::vector<std::size_t> rows(test->num_examples());
    std::iota(rows.begin(), rows.end(), 0);
    Json json = card(*test, rows, target_name, "test");
    json["duplicates"] = count_duplicates(train, target, *test);
    domains.push_back(std::move(json));
  }
  return {{"target", target_name},
          {"features", train.num_features() - (train.bias() == kNone ? 0 : 1)},
          {"domains", std::move(domains)}};
}

}  // namespace megadapt
