#include "corpus/lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "corpus/memory_source.hpp"
#include "corpus/temp_file.hpp"

namespace megadapt::corpus {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text, std::size_t chunk = 1000,
                                  std::size_t buffer = 1000) {
  LineReader reader(std::make_unique<MemorySource>(text, chunk), "data", buffer);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) {
    lines.emplace_back(line);
    EXPECT_EQ(reader.line_number(), lines.size());
  }
  return lines;
}

std::string error_of_lines(const std::string& text, std::size_t chunk = 1000) {
  try {
    lines_of(text, chunk);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Ranks share a file: each reads the lines that begin in its range.
TEST(Lines, AByteOrderMarkStaysWhereALaterPartOfTheFileBegins) {
  const std::string mark = "\xef\xbb\xbf";
  const TempFile file(mark + "a\n" + mark + "b\n");
  const auto first_line = [&](const ByteRange& range) {
    LineReader reader(open_range(file.path(), range), "data");
    std::string_view line;
    const std::string peeked(reader.peek(1));
    EXPECT_TRUE(reader.next(line));
    EXPECT_THAT(peeked, StartsWith(std::string(line)));
    return std::string(line);
  };
  EXPECT_EQ(first_line({0, 5}), "a");
  EXPECT_EQ(first_line({5, 10}), mark + "b");
}

TEST(Lines, EndsOfLines) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\n\r\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("a\n\n"), ElementsAre("a", ""));
  EXPECT_THAT(lines_of("a\rb\n"), ElementsAre("a\rb"));
}

TEST(Lines, AByteOrderMarkIsDroppedAtTheStartOnly) {
  EXPECT_THAT(lines_of("\xef\xbb\xbf"
                       "a\n\xef\xbb\xbf"
                       "b\n"),
              ElementsAre("a",
                          "\xef\xbb\xbf"
                          "b"));
}

TEST(Lines, PiecesAndBuffersOfAnySizeGiveTheSameLines) {
  const std::string text =
      "\xef\xbb\xbf"
      "first\r\n\nsecond é€😀 line\nthird"s;
  const auto expected = lines_of(text);
  EXPECT_THAT(expected, ElementsAre("first", "", "second é€😀 line", "third"));
  for (std::size_t chunk = 1; chunk < 12; ++chunk) {
    for (std::size_t buffer = 1; buffer < 12; ++buffer) {
      EXPECT_EQ(lines_of(text, chunk, buffer), expected) << chunk << ' ' << buffer;
    }
  }
}

TEST(Lines, ALineOfTwelveMegabytes) {
  const std::string line(12'000'000, 'x');
  const auto lines = lines_of("a\n" + line + "\nb\n", std::string::npos, 4096);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], line);
  EXPECT_EQ(lines[2], "b");
}

TEST(Lines, InvalidUtf8NamesLineAndByte) {
  for (std::size_t chunk = 1; chunk < 9; ++chunk) {
    EXPECT_THAT(error_of_lines("good\ncaf\xe9 x\n", chunk),
                AllOf(StartsWith("data:2: byte 4 of the line (0xe9) is not valid UTF-8\n"),
                      HasSubstr("  2 | caf\xef\xbf\xbd x\n"), HasSubstr("iconv")));
  }
}

TEST(Lines, ACutOffCharacterAtTheEndIsInvalid) {
  EXPECT_THAT(error_of_lines("a\nb\xe2\x82"),
              StartsWith("data:2: byte 2 of the line (0xe2)"));
}

TEST(Lines, NulBytes) {
  EXPECT_THAT(error_of_lines("a\n\nb\0c\n"s),
              StartsWith("data:3: byte 2 of the line is NUL"));
}

TEST(Lines, ALineThatNeverEndsIsRefused) {
  const std::string longest = "a\n" + std::string(kLongestLine, 'x');
  EXPECT_THAT(lines_of(longest + "\nb\n", kLongestLine, 1 << 20), testing::SizeIs(3));
  EXPECT_THAT(error_of_lines(longest + std::string(1 << 20, 'x'), kLongestLine),
              StartsWith("data:2: the line is longer than 64 MiB\n  2 | xxx"));
}

TEST(Lines, LinesBeforeABadOneAreStillRead) {
  LineReader reader(std::make_unique<MemorySource>("a\nb\n\xff\n"), "data");
  std::string_view line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "b");
  EXPECT_THROW(reader.next(line), InputError);
}

TEST(Lines, PeekDoesNotConsume) {
  LineReader reader(std::make_unique<MemorySource>("one\ntwo\nthree\n", 3), "data", 2);
  EXPECT_THAT(std::string(reader.peek(6)), StartsWith("one\ntw"));
  EXPECT_FALSE(reader.peeked_all());
  EXPECT_EQ(reader.peek(1000), "one\ntwo\nthree\n");
  EXPECT_TRUE(reader.peeked_all());
  std::string_view line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "one");
}

TEST(Lines, APipeIsNotAskedForMoreThanALine) {
  auto source = std::make_unique<MemorySource>("one\ntwo\n", 4, true);
  const MemorySource& pipe = *source;
  LineReader reader(std::move(source), "data");
  EXPECT_EQ(reader.peek(1000), "one\n");
  std::string_view line;
  EXPECT_TRUE(reader.next(line));
  EXPECT_EQ(line, "one");
  EXPECT_EQ(pipe.used(), 4U);
}

}  // namespace
}  // namespace megadapt::corpus
