#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "megadapt/dataset.hpp"
#include "megadapt/execution.hpp"
#include "optimize/columns.hpp"

namespace megadapt {

/// A sparse matrix in the two orders that training reads.
///
/// Scores read rows: each row sums the weights of its features. Gradients read columns:
/// each feature sums the residuals of its rows. Columns are cut into tiles of consecutive
/// rows, so that a tile's residuals stay in the cache and 16 bits number its rows. In a
/// tile, blocks of features ascend; in a block, short runs come first. A block owns its
/// part of every tile, so blocks run in parallel and each feature adds its tiles in order.
class TiledRows {
 public:
  struct Run {
    std::uint32_t feature;
    std::uint32_t count;  // rows of this tile that have the feature
  };
  struct Piece {  // the part of one tile that one block owns
    const Run* begin;
    const Run* end;
    const std::uint16_t* row;  // relative to the tile's first row
    const float* value;        // null when every value is 1
  };

  /// Takes the chosen rows of `data`, in ascending order, over `columns`, which here are the
  /// features. `data` must outlive this object, which refers to it if all rows and features
  /// are used as they are.
  TiledRows(const SparseRows& data, Columns columns, RowIds chosen, std::uint32_t stride,
            const Execution& exec);

  /// How many rows a tile has, if there are enough.
  static std::size_t rows_per_tile(std::uint32_t stride);

  std::size_t num_rows() const { return rows_->size(); }
  std::uint32_t num_features() const { return columns_.size(); }
  const Columns& columns() const { return columns_; }

  const std::uint64_t* begin() const { return rows_->begin.data(); }
  const std::uint32_t* feature() const { return rows_->feature.data(); }
  const float* value() const {
    return rows_->value.empty() ? nullptr : rows_->value.data();
  }

  std::size_t num_tiles() const { return tiles_.size(); }  // at least 1
  std::size_t tile_begin(std::size_t tile) const { return tile * rows_per_tile_; }
  std::size_t tile_end(std::size_t tile) const {
    return std::min(num_rows(), tile_begin(tile + 1));
  }
  std::size_t num_blocks() const { return block_begin_.size() - 1; }
  std::uint32_t block_begin(std::size_t block) const { return block_begin_[block]; }
  std::uint32_t block_end(std::size_t block) const { return block_begin_[block + 1]; }
  TiledRows(const TiledRows&) = delete;
  TiledRows& operator=(const TiledRows&) = delete;

  Piece piece(std::size_t tile, std::size_t block) const;

 private:
  struct Tile {
    std::vector<Run> runs;
    std::vector<std::uint16_t> row;
    std::vector<float> value;
    std::vector<std::uint64_t> block_run;    // [blocks + 1]
    std::vector<std::uint64_t> block_entry;  // [blocks]
  };
  bool is_everything(const SparseRows& data, RowIds chosen) const;
  void copy_rows(const SparseRows& data, RowIds chosen);
  void cut_blocks();
  void fill_tile(std::size_t tile, std::vector<std::uint32_t>& count);
  void order_runs(Tile& tile, std::size_t block,
                  std::span<const std::uint32_t> count) const;

  Columns columns_;
  SparseRows copy_;  // empty if all rows and features of the data are used as they are
  const SparseRows* rows_ = nullptr;
  std::size_t rows_per_tile_ = 0;
  std::vector<std::uint32_t> block_begin_;
  std::vector<Tile> tiles_;
};

}  // namespace megadapt
