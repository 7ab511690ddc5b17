#include "dataset/row_runs.hpp"

#include <algorithm>

#include "dataset/select_rows.hpp"
#include "execution/collectives.hpp"

namespace megadapt {

std::vector<std::uint64_t> places_of(const Dataset& data) {
  std::vector<std::uint64_t> places;
  places.reserve(data.num_examples());
  for (const RowRun& run : data.runs) {
    for (std::uint64_t i = 0; i < run.count; ++i) places.push_back(run.first + i);
  }
  if (!data.runs.empty()) return places;
  for (std::size_t n = 0; n < data.num_examples(); ++n) places.push_back(n);
  return places;
}

std::vector<RowRun> runs_of(std::span<const std::uint64_t> places) {
  std::vector<RowRun> runs;
  for (const std::uint64_t place : places) {
    if (runs.empty() || runs.back().first + runs.back().count != place) {
      runs.push_back({place, 0});
    }
    ++runs.back().count;
  }
  if (runs.empty()) runs.push_back({});  // an empty run: no runs would mean all rows
  return runs;
}

std::vector<double> gather_rows(std::span<const double> own, std::span<const RowRun> runs,
                                Communicator& ranks) {
  if (ranks.size() == 1) return {own.begin(), own.end()};
  const auto all_runs = gather(ranks, to_message(std::vector(runs.begin(), runs.end())));
  const auto all_values = gather(ranks, to_message(std::vector(own.begin(), own.end())));
  std::vector<double> all;
  for (std::size_t rank = 0; rank < all_runs.size(); ++rank) {
    const auto values = from_message<double>(all_values[rank]);
    auto from = values.begin();
    for (const RowRun& run : from_message<RowRun>(all_runs[rank])) {
      all.resize(std::max<std::size_t>(all.size(), run.first + run.count));
      const auto end = from + static_cast<std::ptrdiff_t>(run.count);
      std::copy(from, end, all.begin() + static_cast<std::ptrdiff_t>(run.first));
      from = end;
    }
  }
  return all;
}

std::vector<double> scatter_rows(std::span<const double> all,
                                 std::span<const RowRun> runs) {
  if (runs.empty()) return {all.begin(), all.end()};
  std::vector<double> own;
  for (const RowRun& run : runs) {
    const auto part = all.subspan(run.first, run.count);
    own.insert(own.end(), part.begin(), part.end());
  }
  return own;
}

Dataset keep_share(const Dataset& data, const Communicator& ranks) {
  if (ranks.size() == 1) return data;
  const auto P = static_cast<std::size_t>(ranks.size());
  const auto rank = static_cast<std::size_t>(ranks.rank());
  std::vector<std::uint64_t> begin = data.sentence_begin;
  if (begin.empty()) {
    for (std::size_t n = 0; n <= data.num_examples(); ++n) begin.push_back(n);
  }
  // Deal sentences in turn, so that every rank gets its share of each domain.
  std::vector<std::size_t> rows;
  for (std::size_t s = rank; s + 1 < begin.size(); s += P) {
    for (std::size_t n = begin[s]; n < begin[s + 1]; ++n) rows.push_back(n);
  }
  Dataset share = select_rows(data, rows);
  share.runs = runs_of(std::vector<std::uint64_t>(rows.begin(), rows.end()));
  return share;
}

}  // namespace megadapt
