// Checks that rows do not depend on how the bytes arrive: random rows are written as text
// and read back in chunks and buffers of a few bytes.

#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "corpus/read_all.hpp"

namespace megadapt::corpus {
namespace {

struct MadeRow {
  std::string label;
  std::vector<std::pair<std::string, float>> features;
  double weight = 1;
};

rc::Gen<std::string> word() {
  const auto piece =
      rc::gen::element<std::string>("a", "b", "Z", "7", "=", "_", "é", "漢", "😀");
  return rc::gen::map(
      rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(piece)),
      [](const std::vector<std::string>& pieces) {
        std::string text = "w";
        for (const std::string& p : pieces) text += p;
        return text;
      });
}

rc::Gen<MadeRow> made_row() {
  const auto value = rc::gen::map(rc::gen::inRange(-1000, 1000),
                                  [](int n) { return static_cast<float>(n) / 8; });
  const auto weight = rc::gen::map(rc::gen::inRange(0, 64),
                                   [](int n) { return static_cast<double>(n) / 8; });
  return rc::gen::build<MadeRow>(
      rc::gen::set(&MadeRow::label, word()),
      rc::gen::set(&MadeRow::features, rc::gen::container<decltype(MadeRow::features)>(
                                           rc::gen::pair(word(), value))),
      rc::gen::set(&MadeRow::weight, weight));
}

std::string write_megam(const MadeRow& row, bool values) {
  std::string text = fmt::format("{} $$$WEIGHT {}\t", row.label, row.weight);
  for (const auto& [name, value] : row.features) {
    text += values ? fmt::format(" {}\t{}", name, value) : fmt::format("  {}", name);
  }
  return text;
}

std::string write(const MadeRow& row, Format format) {
  if (format == Format::libsvm) {
    std::string text = row.label;
    for (const auto& [name, value] : row.features)
      text += fmt::format(" {}:{}", name, value);
    return text;
  }
  if (format != Format::jsonl) return write_megam(row, format == Format::megam_fvals);
  auto features = nlohmann::json::array();
  for (const auto& feature : row.features) features.push_back(feature.first);
  return nlohmann::json{
      {"label", row.label}, {"features", features}, {"weight", row.weight}}
      .dump();
}

void expect_same(const std::vector<OwnedRow>& read, const std::vector<MadeRow>& made,
                 Format format) {
  const bool values = format == Format::megam_fvals || format == Format::libsvm;
  RC_ASSERT(read.size() == made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    RC_ASSERT(read[i].label == made[i].label);
    if (format != Format::libsvm) RC_ASSERT(read[i].weight == made[i].weight);
    RC_ASSERT(read[i].features.size() == made[i].features.size());
    for (std::size_t f = 0; f < made[i].features.size(); ++f) {
      RC_ASSERT(read[i].features[f].first == made[i].features[f].first);
      RC_ASSERT(read[i].features[f].second == (values ? made[i].features[f].second : 1));
    }
  }
}

class Chunks : public testing::TestWithParam<Format> {
 protected:
  // RapidCheck reads its parameters once, when it checks the first property.
  static void SetUpTestSuite() {
    setenv("RC_PARAMS", "seed=20060629 max_success=150 max_size=25", 0);
  }
};

TEST_P(Chunks, ReadBackAsWritten) {
  const Format format = GetParam();
  const bool held = rc::check([format] {
    const auto rows =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<MadeRow>>(made_row()));
    const auto line_end = *rc::gen::element<std::string>("\n", "\r\n");
    const bool end_at_end = *rc::gen::arbitrary<bool>();
    const auto chunk = *rc::gen::inRange<std::size_t>(1, 20);
    const auto buffer = *rc::gen::inRange<std::size_t>(1, 100);
    std::string text;
    for (const MadeRow& row : rows) text += write(row, format) + line_end;
    if (!end_at_end) text.resize(text.size() - line_end.size());
    const auto reader = open_rows(std::make_unique<MemorySource>(text, chunk), "data",
                                  {.format = format}, buffer);
    expect_same(drain(*reader), rows, format);
  });
  EXPECT_TRUE(held);
}

INSTANTIATE_TEST_SUITE_P(Formats, Chunks,
                         testing::Values(Format::megam, Format::megam_fvals, Format::libsvm,
                                         Format::jsonl),
                         [](const auto& test) {
                           std::string name(format_name(test.param));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(ChunksOfTables, QuotedFieldsReadTheSameInAnyPieces) {
  const std::string text =
      "label,text\r\n\"a\",\"one, \"\"two\"\"\r\nthree é\"\r\nb,four\r\n\"c\",\"\"\r\n";
  for (std::size_t chunk = 1; chunk < 40; ++chunk) {
    const auto reader = open_rows(std::make_unique<MemorySource>(text, chunk), "data",
                                  {.format = Format::csv}, 1);
    const auto rows = drain(*reader);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_THAT(rows[0].names(), testing::ElementsAre("one", "three", "two", "é"));
    EXPECT_THAT(rows[1].names(), testing::ElementsAre("four"));
    EXPECT_THAT(rows[2].names(), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace megadapt::corpus
