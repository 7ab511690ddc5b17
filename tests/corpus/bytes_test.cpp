#include "corpus/bytes/bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>

#include "base/limits.hpp"
#include "corpus/memory_source.hpp"
#include "corpus/read_all.hpp"
#include "corpus/temp_file.hpp"
#include "megadapt/error.hpp"

namespace megadapt::corpus {
namespace {

using testing::HasSubstr;

std::string gzip(const std::string& text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string text_of_lines(int lines) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < lines; ++i) text += fmt::format("l{} f{}\n", i % 3, random());
  return text;
}

std::string decode(const std::string& bytes, std::size_t chunk, std::size_t reading) {
  const auto source = decompressed(std::make_unique<MemorySource>(bytes, chunk), "data");
  std::string text, buffer(reading, '\0');
  while (const std::size_t got = source->read(buffer.data(), buffer.size())) {
    text.append(buffer, 0, got);
  }
  EXPECT_EQ(source->read(buffer.data(), buffer.size()), 0u) << "the end stays the end";
  return text;
}

std::string decoding_error(const std::string& bytes) {
  try {
    decode(bytes, 100, 100);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Bytes, CompressionIsRecognisedByContentInPiecesOfAnySize) {
  const std::string text = text_of_lines(200);
  for (const std::string& stored : {text, gzip(text), zstd(text)}) {
    for (const std::size_t chunk : {1U, 2U, 3U, 7U, 100U, 1000000U}) {
      for (const std::size_t reading : {1U, 5U, 4096U}) {
        ASSERT_EQ(decode(stored, chunk, reading), text) << chunk << ' ' << reading;
      }
    }
  }
}

TEST(Bytes, SeveralMembersAndFrames) {
  EXPECT_EQ(decode(gzip("a\n") + gzip("") + gzip("b\n"), 3, 10), "a\nb\n");
  EXPECT_EQ(decode(gzip("a\n") + std::string(512, '\0'), 3, 10), "a\n");
  EXPECT_EQ(decode(zstd("a\n") + zstd("") + zstd("b\n"), 3, 10), "a\nb\n");
  const std::string skippable("\x5e\x2a\x4d\x18\x03\0\0\0xyz", 11);
  EXPECT_EQ(decode(skippable + zstd("a\n"), 3, 10), "a\n");
}

TEST(Bytes, EveryTruncationIsNoticed) {
  const std::string text = text_of_lines(20);
  const std::string gz = gzip(text), zst = zstd(text);
  for (std::size_t size = 2; size < gz.size(); ++size) {
    ASSERT_THAT(decoding_error(gz.substr(0, size)), HasSubstr("ends too early")) << size;
  }
  for (std::size_t size = 4; size < zst.size(); ++size) {
    ASSERT_THAT(decoding_error(zst.substr(0, size)), HasSubstr("ends too early")) << size;
  }
}

TEST(Bytes, DamageIsNoticed) {
  const std::string text = text_of_lines(200);
  std::string gz = gzip(text), zst = zstd(text);
  gz[gz.size() / 2] ^= 0x55;
  EXPECT_THAT(decoding_error(gz), HasSubstr("gzip data is damaged"));
  EXPECT_THAT(decoding_error(gzip(text) + "junk"), HasSubstr("not gzip follows"));
  EXPECT_THAT(decoding_error(zst + "junk!"), HasSubstr("zstd data is damaged"));
}

// Such a file would fill the memory of any program that keeps its rows.
TEST(Bytes, DataThatExpandsTooMuchIsRefused) {
  const std::string piece(32 << 20, '\n');
  for (const std::string& packed : {gzip(piece), zstd(piece)}) {
    std::string bomb;
    for (int i = 0; i < 20; ++i) bomb += packed;
    const auto source = decompressed(std::make_unique<MemorySource>(bomb), "data");
    std::string buffer(1 << 20, '\0');
    std::size_t all = 0;
    try {
      while (const std::size_t got = source->read(buffer.data(), buffer.size())) all += got;
      FAIL() << "read " << all << " bytes";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("expands to more than 500 times its size"));
    }
    EXPECT_LE(all, kAnyExpansion);
    EXPECT_EQ(decode(packed, 1 << 20, 1 << 20), piece);  // small enough to be harmless
  }
}

TEST(Bytes, ShortFilesThatBeginLikeAMagicNumber) {
  for (const char* text : {"", "(", "P", "P*", "(\xb5", "\x1f"})
    EXPECT_EQ(decode(text, 9, 9), text);
}

// An interactive user must get the answer to a line before typing the next one.
TEST(Bytes, APipeIsReadNoFurtherThanNeededToRecogniseIt) {
  auto source = std::make_unique<MemorySource>("Pa\nb\n", 3, true);
  const MemorySource& pipe = *source;
  const auto plain = decompressed(std::move(source), "data");
  EXPECT_LE(pipe.used(), 2U);
  std::string line(2, '\0');
  EXPECT_EQ(plain->read(line.data(), 2), 2U);
  EXPECT_EQ(line, "Pa");
}

TEST(Bytes, Sha256IsOfTheStoredBytes) {
  const TempFile file("abc");
  const auto source = open_stored(file.path(), nullptr, true);
  std::string buffer(10, '\0');
  EXPECT_EQ(source->sha256(), "");
  EXPECT_EQ(source->read(buffer.data(), 10), 3U);
  EXPECT_EQ(source->read(buffer.data(), 10), 0U);
  EXPECT_EQ(source->sha256(),  // FIPS 180-2, appendix B.1
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Bytes, RowsOfCompressedFiles) {
  const std::string text = text_of_lines(50);
  for (const std::string& stored : {gzip(text), zstd(text)}) {
    const TempFile file(stored);
    const auto reader = megadapt::open_rows(file.path(), {.digest = true});
    EXPECT_EQ(drain(*reader).size(), 50U);
    const TempFile copy(stored);
    const auto raw = open_stored(copy.path(), nullptr, true);
    std::string buffer(1 << 16, '\0');
    while (raw->read(buffer.data(), buffer.size()) > 0) {
    }
    EXPECT_EQ(reader->sha256(), raw->sha256());
    EXPECT_EQ(reader->sha256().size(), 64U);
  }
}

TEST(Bytes, ATruncatedFileFailsAfterItsRows) {
  const std::string stored = gzip(text_of_lines(50));
  const TempFile file(stored.substr(0, stored.size() - 4));
  const auto read = [&] {
    drain(*megadapt::open_rows(file.path(), {.format = Format::megam}));
  };
  EXPECT_THROW(read(), InputError);
}

}  // namespace
}  // namespace megadapt::corpus
