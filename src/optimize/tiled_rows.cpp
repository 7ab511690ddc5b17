#include "optimize/tiled_rows.hpp"

#include <array>
#include <numeric>
#include <utility>

namespace megadapt {
namespace {

// A tile's residuals should stay in a shared cache, and 16 bits number its rows. Fewer,
// larger tiles mean longer runs: of 256 KiB to 2 MiB, 2 MiB measured best.
constexpr std::size_t kTileBytes = 1 << 21;
constexpr std::size_t kMostRowsPerTile = 1 << 16;
constexpr std::size_t kLeastRowsPerTile = 1 << 12;
constexpr std::size_t kBlocks = 32;

}  // namespace

std::size_t TiledRows::rows_per_tile(std::uint32_t stride) {
  return std::clamp(kTileBytes / (stride * sizeof(float)), kLeastRowsPerTile,
                    kMostRowsPerTile);
}

TiledRows::TiledRows(const SparseRows& data, Columns columns, RowIds chosen,
                     std::uint32_t stride, const Execution& exec)
    : columns_(std::move(columns)), rows_per_tile_(rows_per_tile(stride)) {
  if (is_everything(data, chosen)) {
    rows_ = &data;
  } else {
    copy_rows(data, chosen);
    rows_ = &copy_;
  }
  cut_blocks();
  tiles_.resize(
      std::max<std::size_t>(1, (num_rows() + rows_per_tile_ - 1) / rows_per_tile_));
  exec.for_each_chunk(num_tiles(), [&](std::size_t tile) {
    std::vector<std::uint32_t> count_in_tile(this->num_features());
    fill_tile(tile, count_in_tile);
  });
}

// Whether the rows and features are those of the data.
bool TiledRows::is_everything(const SparseRows& data, RowIds chosen) const {
  if (data.borrowed || columns_.size() != columns_.column_of.size()) return false;
  if (chosen.size() != data.size()) return false;
  // The right number of rows need not be all of them: some may be chosen twice.
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    if (chosen[n] != n) return false;
  }
  return true;
}

// Copies rows in terms of columns. Of features with the same column, the first stands for all.
void TiledRows::copy_rows(const SparseRows& data, RowIds chosen) {
  std::vector<std::uint32_t> column_of_first(columns_.column_of.size(), kNone);
  for (std::uint32_t c = 0; c < num_features(); ++c) {
    column_of_first[columns_.features(c).front()] = c;
  }
  std::size_t nonzeros = 0;
  for (const std::size_t n : chosen) nonzeros += data[n].features.size();
  copy_.begin.reserve(chosen.size() + 1);
  copy_.feature.reserve(nonzeros);
  if (data.has_values()) copy_.value.reserve(nonzeros);
  for (const std::size_t n : chosen) {
    const RowView row = data[n];
    for (std::size_t i = 0; i < row.features.size(); ++i) {
      const std::uint32_t column = column_of_first[row.features[i]];
      if (column == kNone) continue;
      copy_.feature.push_back(column);
      if (!row.values.empty()) copy_.value.push_back(row.values[i]);
    }
    copy_.begin.push_back(copy_.feature.size());
  }
}

// Cuts the features into blocks of about equal work: entries plus one per feature. Every
// rank cuts alike, because sums are added block by block.
void TiledRows::cut_blocks() {
  const std::vector<double>& count = columns_.count;
  const double work = std::accumulate(count.begin(), count.end(), 0.0) + num_features();
  block_begin_.push_back(0);
  double seen = 0;
  for (std::uint32_t f = 0; f < num_features(); ++f) {
    seen += count[f] + 1;
    if (seen * kBlocks >= static_cast<double>(block_begin_.size()) * work) {
      block_begin_.push_back(f + 1);
    }
  }
  if (block_begin_.back() != num_features()) block_begin_.push_back(num_features());
}

// Appends the runs of one block, short ones first: consecutive loops of the same length are
// predicted well by the processor.
void TiledRows::order_runs(Tile& tile, std::size_t block,
                           std::span<const std::uint32_t> count) const {
  constexpr std::uint32_t kLongest = 63;
  std::array<std::uint32_t, kLongest + 2> next{};
  for (std::uint32_t f = block_begin(block); f < block_end(block); ++f) {
    if (count[f] > 0) ++next[std::min(count[f], kLongest) + 1];
  }
  for (std::size_t length = 1; length < next.size(); ++length)
    next[length] += next[length - 1];
  const std::size_t first = tile.runs.size();
  tile.runs.resize(first + next.back());
  for (std::uint32_t f = block_begin(block); f < block_end(block); ++f) {
    if (count[f] > 0)
      tile.runs[first + next[std::min(count[f], kLongest)]++] = {f, count[f]};
  }
}

void TiledRows::fill_tile(std::size_t t, std::vector<std::uint32_t>& count) {
  Tile& tile = tiles_[t];
  const SparseRows& rows = *rows_;
  const std::size_t first = tile_begin(t);
  const std::size_t last = tile_end(t);
  for (std::size_t i = rows.begin[first]; i < rows.begin[last]; ++i)
    ++count[rows.feature[i]];

  // From here, `count` holds for each feature where its next entry goes.
  std::uint32_t next = 0;
  for (std::size_t block = 0; block < num_blocks(); ++block) {
    const std::size_t first_run = tile.runs.size();
    tile.block_run.push_back(first_run);
    tile.block_entry.push_back(next);
    order_runs(tile, block, count);
    for (std::size_t run = first_run; run < tile.runs.size(); ++run) {
      next += std::exchange(count[tile.runs[run].feature], next);
    }
  }
  tile.block_run.push_back(tile.runs.size());

  tile.row.resize(next);
  if (!rows.value.empty()) tile.value.resize(next);
  for (std::size_t n = first; n < last; ++n) {
    for (std::size_t i = rows.begin[n]; i < rows.begin[n + 1]; ++i) {
      const std::uint32_t at = count[rows.feature[i]]++;
      tile.row[at] = static_cast<std::uint16_t>(n - first);
      if (!rows.value.empty()) tile.value[at] = rows.value[i];
    }
  }
}

TiledRows::Piece TiledRows::piece(std::size_t t, std::size_t block) const {
  const Tile& tile = tiles_[t];
  const std::size_t entry = tile.block_entry[block];
  return {tile.runs.data() + tile.block_run[block],
          tile.runs.data() + tile.block_run[block + 1], tile.row.data() + entry,
          tile.value.empty() ? nullptr : tile.value.data() + entry};
}

}  // namespace megadapt
