#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "megadapt/corpus.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;

TEST(Formats, NamesAndBack) {
  for (const Format format : {Format::megam, Format::megam_fvals, Format::libsvm,
                              Format::jsonl, Format::csv, Format::tsv}) {
    EXPECT_EQ(parse_format(format_name(format)), format);
  }
  EXPECT_EQ(format_name(Format::megam_fvals), "megam-fvals");
}

TEST(Formats, AWrongNameGetsASuggestion) {
  const auto message = [](const char* name) -> std::string {
    try {
      parse_format(name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("libsmv"), HasSubstr("did you mean 'libsvm'?"));
  EXPECT_THAT(message("parquet-files"),
              HasSubstr("choose one of megam, megam-fvals, libsvm"));
  EXPECT_THAT(message("guess"), HasSubstr("no format is called 'guess'"));
}

}  // namespace
}  // namespace megadapt
