// Batches are worked on in parallel and finished in file order.
#include "inference/stream.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "megadapt/error.hpp"

namespace megadapt {
namespace {

/// Reads rows labelled 0, 1, 2, ...; throws at row `bad`.
class CountingReader final : public RowReader {
 public:
  CountingReader(std::size_t rows, std::size_t bad) : rows_(rows), bad_(bad) {}
  bool next(Row& row) override {
    if (next_ == bad_) throw InputError({"rows", next_ + 1}, "bad row");
    if (next_ == rows_) return false;
    text_ = fmt::format("{}", next_++);
    row.label = text_;
    row.features = {{text_, 1}};
    return true;
  }
  Format format() const override { return Format::megam; }
  Place place() const override { return {"rows", next_}; }
  std::string sha256() const override { return {}; }

 private:
  std::size_t rows_, bad_, next_ = 0;
  std::string text_;
};

class Streaming : public testing::TestWithParam<int> {
 protected:
  // Returns the rows that were finished, each worked on exactly once.
  std::vector<std::string> finished(std::size_t rows, std::size_t bad = 1U << 30) {
    CountingReader reader(rows, bad);
    const Execution exec(GetParam());
    Stream<RowBatch> stream(reader, "/dev/zero/none", exec);
    std::vector<std::vector<std::string>> worked(stream.slots());
    std::vector<std::string> all;
    const auto run = [&] {
      stream.run(
          [&](std::span<const Row> batch, std::size_t slot) {
            worked[slot].clear();
            for (const Row& row : batch) worked[slot].emplace_back(row.features[0].name);
          },
          [&](std::span<const Row> batch, std::size_t slot) {
            EXPECT_EQ(batch.size(), worked[slot].size());
            all.insert(all.end(), worked[slot].begin(), worked[slot].end());
          },
          [] {});
    };
    if (bad < rows) {
      EXPECT_THROW(run(), InputError);
    } else {
      run();
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(Threads, Streaming, testing::Values(1, 2, 3));

TEST_P(Streaming, KeepsTheOrder) {
  for (const std::size_t rows : {0UL, 1UL, 127UL, 128UL, 129UL, 2000UL}) {
    const auto all = finished(rows);
    ASSERT_EQ(all.size(), rows);
    for (std::size_t n = 0; n < rows; ++n) EXPECT_EQ(all[n], std::to_string(n));
  }
}

TEST_P(Streaming, FinishesTheRowsBeforeABadOne) {
  for (const std::size_t bad : {0UL, 1UL, 128UL, 700UL}) {
    EXPECT_EQ(finished(2000, bad).size(), bad);
  }
}

}  // namespace
}  // namespace megadapt
