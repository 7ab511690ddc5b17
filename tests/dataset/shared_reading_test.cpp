// Several ranks read the same files: together they get the same data as one rank.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/random.hpp"
#include "dataset/reading/share_files.hpp"
#include "dataset/row_runs.hpp"
#include "dataset/unite.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;

class SharedReading : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) {
    const auto path = (folder_ / name).string();
    if (!name.ends_with(".gz")) {
      std::ofstream(path) << text;
      return path;
    }
    gzFile out = gzopen(path.c_str(), "wb");
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    return path;
  }

  static std::string lines(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::string text;
    for (std::size_t n = 0; n < count; ++n) {
      text += fmt::format("y{}\tn{}", random.below(3), n);
      for (int i = 0; i < 4; ++i) text += fmt::format(" f{}", random.below(200));
      text += '\n';
    }
    return text;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      fmt::format("shared-{}-{}", getpid(),
                  testing::UnitTest::GetInstance()->current_test_info()->line());
};
INSTANTIATE_TEST_SUITE_P(Counts, SharedReading, testing::Values(1, 2, 3, 7));

/// Returns a row as text: label, domain, weight, features with values.
std::string row_text(const Dataset& data, std::size_t n) {
  std::string text =
      fmt::format("{} {} {}", data.labels().name(data.label[n]),
                  data.domains().name(data.domain[n]), static_cast<double>(data.weight[n]));
  const RowView row = data.rows[n];
  for (std::size_t i = 0; i < row.features.size(); ++i) {
    text += fmt::format(" {}:{}", data.features().name(row.features[i]),
                        row.values.empty() ? 1.0f : row.values[i]);
  }
  return text;
}

// Expects that every rank has the vocabulary that a single rank would have, and that the
// shares together are the whole data.
void expect_the_whole(const std::vector<DomainFile>& files, int count,
                      const Recipe& recipe = {}) {
  const Dataset whole = read_dataset(files, recipe);
  std::vector<Dataset> shares(static_cast<std::size_t>(count));
  run_ranks(count, [&](Communicator& ranks) {
    shares[static_cast<std::size_t>(ranks.rank())] = read_dataset(files, recipe, {}, ranks);
  });
  std::map<std::uint64_t, std::string> rows;
  for (const Dataset& share : shares) {
    EXPECT_EQ(share.features().names(), whole.features().names());
    EXPECT_EQ(share.labels().names(), whole.labels().names());
    EXPECT_EQ(share.domains().names(), whole.domains().names());
    for (std::size_t f = 0; f < files.size(); ++f) {
      EXPECT_EQ(share.sources[f].rows, whole.sources[f].rows);
      EXPECT_THAT(share.sources[f].sha256, testing::AnyOf("", whole.sources[f].sha256));
    }
    std::size_t n = 0;
    for (const RowRun& run : share.runs) {
      for (std::uint64_t i = 0; i < run.count; ++i) {
        EXPECT_TRUE(rows.emplace(run.first + i, row_text(share, n++)).second);
      }
    }
    if (count > 1) {
      EXPECT_EQ(n, share.num_examples());
    }
  }
  if (count == 1) return;
  ASSERT_EQ(rows.size(), whole.num_examples());
  for (std::size_t n = 0; n < rows.size(); ++n) EXPECT_EQ(rows[n], row_text(whole, n));
}

TEST_P(SharedReading, CutsAPlainFileByBytes) {
  expect_the_whole(
      {{"out", file("a.txt", lines(500, 1))}, {"in", file("b.txt", lines(9, 2))}},
      GetParam());
}

TEST_P(SharedReading, ANameWithoutRowsIsNoDomain) {
  std::string table = "label,text,domain\n";
  for (int n = 0; n < 300; ++n) {
    table += fmt::format("y{},word{} word{},d{}\n", n % 2, n % 7, n % 11, n / 100);
  }
  expect_the_whole({{"all", file("a.csv", table)}}, GetParam());
}

TEST_P(SharedReading, ReadsACompressedFileInStripes) {
  expect_the_whole(
      {{"out", file("a.gz", lines(900, 3))}, {"in", file("b.txt", lines(40, 4))}},
      GetParam());
}

TEST_P(SharedReading, KeepsHeadersAndQuotedLinesTogether) {
  std::string table = "label,text\n";
  for (int n = 0; n < 200; ++n) {
    table += fmt::format("y{},\"word{}\nsecond line\"\n", n % 2, n % 50);
  }
  expect_the_whole({{"d", file("a.csv", table)}}, GetParam());
}

TEST_P(SharedReading, DealsManyFilesOut) {
  std::vector<DomainFile> files;
  for (std::uint64_t f = 0; f < 40; ++f) {
    files.push_back({f % 2 == 0 ? "out" : "in",
                     file(fmt::format("{}.gz", f), lines(30 + f % 3, 10 + f))});
  }
  expect_the_whole(files, GetParam());
}

TEST_P(SharedReading, CountsRareFeaturesOverAllRanks) {
  expect_the_whole({{"d", file("a.txt", lines(400, 5))}}, GetParam(), {.min_count = 3});
}

TEST_P(SharedReading, ValuesMayBeOnOneRankAlone) {
  std::string text;
  for (int n = 0; n < 60; ++n) text += n == 59 ? "0 1:2.5\n" : "1 1:1 2:1\n";
  expect_the_whole({{"d", file("a.svm", text)}}, GetParam(), {.format = Format::libsvm});
}

TEST_P(SharedReading, GatheredNumbersCanBeScattered) {
  const std::vector<DomainFile> files = {{"out", file("a.gz", lines(300, 6))},
                                         {"in", file("b.txt", lines(70, 7))}};
  run_ranks(GetParam(), [&](Communicator& ranks) {
    const Dataset data = read_dataset(files, {}, {}, ranks);
    std::vector<double> own;
    for (std::size_t n = 0; n < data.num_examples(); ++n) {
      own.push_back(static_cast<double>(data.rows[n].features[1]));
    }
    const std::vector<double> all = gather_rows(own, data.runs, ranks);
    if (ranks.rank() > 0) return;
    EXPECT_EQ(all.size(), 370u);
    EXPECT_EQ(scatter_rows(all, data.runs), own);
  });
}

TEST_P(SharedReading, ABadLineIsNamedByItsNumberInTheFile) {
  std::string text = lines(300, 8);
  text += "TEST\n" + lines(10, 9);
  const std::string path = file("a.txt", text);
  try {
    run_ranks(GetParam(), [&](Communicator& ranks) {
      read_dataset({{"d", path}}, {}, {}, ranks);
    });
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path + ":301:"));
  }
}

TEST_P(SharedReading, AMissingFileIsNamed) {
  const std::string there = file("a.txt", lines(10, 1));
  try {
    run_ranks(GetParam(), [&](Communicator& ranks) {
      read_dataset({{"d", there}, {"d", (folder_ / "b.txt").string()}}, {}, {}, ranks);
    });
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("b.txt: no such file"));
  }
}

TEST_P(SharedReading, StandardInputCannotBeShared) {
  if (GetParam() == 1) return;
  EXPECT_THROW(run_ranks(GetParam(),
                         [](Communicator& ranks) {
                           read_dataset({{"d", "-"}}, {}, {}, ranks);
                         }),
               UsageError);
}

// No rank gets more than 10% above its fair share of a domain's bytes.
TEST_P(SharedReading, SharesAreFair) {
  std::vector<DomainFile> files;
  for (std::uint64_t f = 0; f < 12; ++f) {
    files.push_back({"d", file(fmt::format("{}.txt", f), lines(5 + f * f * f, f))});
  }
  run_ranks(GetParam(), [&](Communicator& ranks) {
    const auto shares = share_files(files, {}, ranks);
    double own = 0, all = 0;
    for (const FileShare& share : shares) {
      const auto size = static_cast<double>(share.size);
      all += size;
      if (share.is_cut()) own += size / ranks.size();
      if (share.owner == ranks.rank()) own += size;
    }
    if (ranks.size() > 1) {
      EXPECT_LE(own, 1.1 * all / ranks.size());
    }
  });
}

// The names of three parts of the input; every assignment of parts to ranks is tried.
TEST(MergeNames, DoesNotDependOnWhoReadWhat) {
  const std::vector<std::vector<std::string>> part = {
      {"b", "a"}, {"a", "z", "c"}, {"", "c", "q", "b"}};
  std::vector<int> order = {0, 1, 2};
  do {
    for (const int count : {1, 2, 3}) {
      run_ranks(count, [&](Communicator& ranks) {
        NameIndex own;
        std::vector<NameRun> runs;
        for (int p = 0; p < 3; ++p) {  // places ascend on every rank
          if (order[static_cast<std::size_t>(p)] % count != ranks.rank()) continue;
          runs.push_back({static_cast<std::uint64_t>(p) + 1, own.size()});
          for (const auto& name : part[static_cast<std::size_t>(p)]) own.add(name);
        }
        EXPECT_THAT(merge_names(own, runs, ranks).names(),
                    testing::ElementsAre("b", "a", "z", "c", "", "q"));
      });
    }
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace
}  // namespace megadapt
