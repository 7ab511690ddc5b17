#include "megadapt/warnings.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

// The time was once quadratic in the number of domains: 100,000 domains took 10 s, and the
// number in this test would take a minute and a half.
TEST(DataWarnings, CanLookAtManyDomains) {
  constexpr std::uint32_t kDomains = 300000;
  Dataset data;
  data.own_schema().features.add("x");
  for (const char* label : {"a", "b", "c"}) data.own_schema().labels.add(label);
  for (std::uint32_t d = 0; d < kDomains; ++d) {
    data.own_schema().domains.add(fmt::format("d{}", d));
  }
  RowBuilder rows(data);
  const auto add = [&](std::uint32_t label, std::uint32_t domain) {
    rows.add(0, 1);
    rows.end({.label = label, .domain = domain});
  };
  for (const std::uint32_t label : {0, 1}) add(label, 0);
  for (std::uint32_t d = 1; d < kDomains; ++d) add(d % 2, d);
  add(2, kDomains - 1);
  const std::vector<Warning> found = data_warnings(data, 0, serial_communicator());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].problem,
              testing::HasSubstr("only 'd299999' has rows of the label c"));
}

}  // namespace
}  // namespace megadapt
