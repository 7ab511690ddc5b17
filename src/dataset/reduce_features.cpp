#include "dataset/reduce_features.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace megadapt {
namespace {

// The values of the data, sorted by feature.
struct Columns {
  std::vector<std::uint64_t> begin;  // [F + 1]
  std::vector<float> value;          // [nnz]
};

Columns columns_of(const Dataset& data) {
  const SparseRows& rows = data.rows;
  Columns columns{std::vector<std::uint64_t>(data.num_features() + 1), {}};
  for (const std::uint32_t feature : rows.feature) ++columns.begin[feature + 1];
  for (std::size_t f = 0; f < data.num_features(); ++f) {
    columns.begin[f + 1] += columns.begin[f];
  }
  columns.value.resize(rows.nonzeros());
  std::vector<std::uint64_t> next = columns.begin;
  for (std::size_t i = 0; i < rows.nonzeros(); ++i) {
    columns.value[next[rows.feature[i]]++] = rows.value[i];
  }
  return columns;
}

// Returns the distinct inner quantiles of the values, except the largest value: the bin
// above it would be empty.
std::vector<float> quantile_edges(std::span<float> values, int bins) {
  std::sort(values.begin(), values.end());
  std::vector<float> edges;
  for (int b = 1; b < bins; ++b) {
    const std::size_t at =
        (values.size() * static_cast<std::size_t>(b) - 1) / static_cast<std::size_t>(bins);
    const float edge = values[at];
    if (edge < values.back() && (edges.empty() || edges.back() < edge))
      edges.push_back(edge);
  }
  return edges;
}

Binning learn_binning(const Dataset& data, int bins) {
  Columns columns = columns_of(data);
  Binning binning;
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    const std::span<float> values(columns.value.data() + columns.begin[f],
                                  columns.begin[f + 1] - columns.begin[f]);
    if (std::all_of(values.begin(), values.end(), [](float v) { return v == 1; })) continue;
    binning.features.add(data.features().name(f));
    for (const float edge : quantile_edges(values, bins)) binning.edges.push_back(edge);
    binning.begin.push_back(static_cast<std::uint32_t>(binning.edges.size()));
  }
  return binning;
}

}  // namespace

void bin_values(Dataset& data, int bins) {
  if (data.rows.value.empty()) return;
  Schema& schema = data.own_schema();
  schema.binning = learn_binning(data, bins);
  const Binning& binning = schema.binning;
  NameIndex features;
  for (std::size_t i = 0; i < data.rows.nonzeros(); ++i) {
    std::uint32_t& feature = data.rows.feature[i];
    const std::string_view name = schema.features.name(feature);
    const std::uint32_t binned = binning.features.find(name);
    feature = binned == kNone ? features.add(name)
                              : features.add(binning.bin_name(
                                    binned, binning.bin(binned, data.rows.value[i])));
  }
  schema.features = std::move(features);
  data.rows.value.clear();
}

std::vector<std::uint32_t> keep_features(Dataset& data, const std::vector<bool>& keep) {
  SparseRows& rows = data.rows;
  NameIndex kept;
  std::vector<std::uint32_t> new_id(data.num_features(), kNone);
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    if (keep[f]) new_id[f] = kept.add(data.features().name(f));
  }

  std::size_t out = 0;
  std::size_t in = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (const std::size_t end = rows.begin[n + 1]; in < end; ++in) {
      const std::uint32_t id = new_id[rows.feature[in]];
      if (id == kNone) continue;
      rows.feature[out] = id;
      if (!rows.value.empty()) rows.value[out] = rows.value[in];
      ++out;
    }
    rows.begin[n + 1] = out;
  }
  rows.feature.resize(out);
  if (!rows.value.empty()) rows.value.resize(out);
  data.own_schema().features = std::move(kept);
  return new_id;
}

std::vector<std::uint32_t> drop_rare_features(Dataset& data, int min_count,
                                              Communicator& ranks) {
  std::vector<double> count(data.num_features());
  for (const std::uint32_t feature : data.rows.feature) ++count[feature];
  ranks.sum(count);
  std::vector<bool> keep(data.num_features());
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    const bool is_bias = data.features().name(f).empty();
    keep[f] = is_bias || count[f] >= min_count;
  }
  return keep_features(data, keep);
}

std::uint32_t Binning::bin(std::uint32_t id, float value) const {
  const auto first = edges.begin() + begin[id];
  const auto last = edges.begin() + begin[id + 1];
  return static_cast<std::uint32_t>(std::lower_bound(first, last, value) - first);
}

std::string Binning::bin_name(std::uint32_t id, std::uint32_t bin) const {
  return fmt::format("{}[{}/{}]", features.name(id), bin + 1, num_bins(id));
}

}  // namespace megadapt
