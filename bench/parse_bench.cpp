// Speed of reading rows from text: bytes per second through RowReader::next on one thread,
// without a vocabulary, for 20000 rows of 25 features.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "corpus/text/utf8.hpp"
#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

constexpr int kRows = 20000;
constexpr int kFeatures = 25;

// A few features are frequent and most are rare, as in text.
class FeatureIds {
 public:
  unsigned next() {
    const unsigned magnitude = random_() % 18;
    return (random_() & 0xffffff) % (2U << magnitude);
  }

 private:
  std::mt19937 random_{1};
};

std::string rows(std::string_view before, std::string_view feature,
                 std::string_view between, std::string_view after) {
  FeatureIds ids;
  std::string text;
  for (int row = 0; row < kRows; ++row) {
    text += fmt::format(fmt::runtime(before), row % 6);
    for (int i = 0; i < kFeatures; ++i) {
      if (i > 0) text += between;
      text += fmt::format(fmt::runtime(feature), ids.next());
    }
    text += after;
  }
  return text;
}

std::string text_of(Format format) {
  switch (format) {
    case Format::megam:
      return rows("c{} ", "f{}", " ", "\n");
    case Format::megam_fvals:
      return rows("c{} ", "f{} 0.25", " ", "\n");
    case Format::libsvm:
      return rows("{} ", "{}:1", " ", "\n");
    case Format::jsonl:
      return rows("{{\"label\":\"c{}\",\"features\":[", "\"f{}\"", ",", "]}\n");
    case Format::csv:
      return "label,text\n" + rows("c{},", "Word{}", " ", "\n");
    default:
      return "label\ttext\n" + rows("c{}\t", "Word{}", " ", "\n");
  }
}

class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("parse_bench.{}", getpid())),
        size_(text.size()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TextFile() { std::filesystem::remove(path_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  std::string path() const { return path_.string(); }
  std::int64_t size() const { return static_cast<std::int64_t>(size_); }

 private:
  std::filesystem::path path_;
  std::size_t size_;
};

void read_rows(benchmark::State& state, Format format) {
  const TextFile file(text_of(format));
  Row row;
  for (auto _ : state) {
    const auto reader = open_rows(file.path(), {.format = format});
    std::size_t features = 0;
    while (reader->next(row)) features += row.features.size();
    benchmark::DoNotOptimize(features);
  }
  state.SetBytesProcessed(state.iterations() * file.size());
  state.SetItemsProcessed(state.iterations() * kRows);
}
BENCHMARK_CAPTURE(read_rows, megam, Format::megam)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_rows, megam_fvals, Format::megam_fvals)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_rows, libsvm, Format::libsvm)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_rows, jsonl, Format::jsonl)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_rows, csv, Format::csv)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_rows, tsv, Format::tsv)->Unit(benchmark::kMillisecond);

void check_utf8(benchmark::State& state) {
  const std::string text = text_of(Format::megam);
  for (auto _ : state) benchmark::DoNotOptimize(corpus::check_text(text).good);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(check_utf8);

}  // namespace
}  // namespace megadapt
