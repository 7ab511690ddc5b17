#include <gmock/gmock.h>

#include <algorithm>

#include "container/container.hpp"
#include "container/crc32c.hpp"
#include "megadapt/error.hpp"
#include "megadapt/model.hpp"
#include "models/model_over.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using sample::TempFolder;
using testing::HasSubstr;

class Damage : public testing::Test {
 protected:
  Damage() {
    save_model(sample::small_model(), path_);
    whole_ = sample::read_bytes(path_);
  }

  std::string load_message(const std::string& bytes) {
    try {
      model_over(std::as_bytes(std::span(bytes)), "m.mega", true);
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "loaded";
  }

  // Returns whether the byte belongs to neither the header, the table nor a section.
  bool is_padding(std::size_t at) const {
    const auto bytes = std::as_bytes(std::span(whole_));
    const Container container(bytes, "");
    std::uint64_t table_bytes;
    std::memcpy(&table_bytes, whole_.data() + 24, sizeof table_bytes);
    if (at < kHeaderBytes + table_bytes) return false;
    return std::none_of(
        container.entries().begin(), container.entries().end(), [&](const auto& entry) {
          const auto begin = static_cast<std::size_t>(entry.bytes.data() - bytes.data());
          return at >= begin && at < begin + entry.bytes.size();
        });
  }

  void restore_header_crc(std::string& bytes) {
    const std::uint32_t crc = crc32c(std::as_bytes(std::span(bytes)).first(60));
    std::memcpy(bytes.data() + 60, &crc, sizeof crc);
  }

  TempFolder folder_;
  std::string path_ = folder_ / "m.mega";
  std::string whole_;
};

TEST_F(Damage, EveryFlippedByteIsNoticed) {
  std::size_t padding = 0;
  for (std::size_t at = 0; at < whole_.size(); ++at) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    const bool loaded = load_message(bytes) == "loaded";
    EXPECT_EQ(loaded, is_padding(at)) << at;
    padding += loaded;
  }
  EXPECT_LT(padding, whole_.size() / 10);
}

// Without checksums predictions may be wrong, but nothing may crash.
TEST_F(Damage, UnverifiedFilesAreStillSafe) {
  for (std::size_t at = 0; at < whole_.size(); ++at) {
    std::string bytes = whole_;
    bytes[at] = static_cast<char>(bytes[at] ^ 0xff);
    try {
      const Model model = model_over(std::as_bytes(std::span(bytes)), "m.mega", false);
      for (std::uint32_t f = 0; f < model.features.size(); ++f) {
        model.features.find(model.features.name(f));
      }
      const std::vector<std::uint32_t> row{0, 1, 2, 3, 4, 5, kNone};
      std::vector<double> probability(model.labels.size());
      model.predictor->predict({row, {}}, 0, probability);
    } catch (const ModelFileError&) {
    }
  }
}

TEST_F(Damage, EveryTruncationIsNoticed) {
  for (std::size_t size = 0; size < whole_.size(); ++size) {
    EXPECT_NE(load_message(whole_.substr(0, size)), "loaded") << size;
  }
  EXPECT_THAT(load_message(whole_ + "x"), HasSubstr("bytes and should have"));
}

TEST_F(Damage, MessagesNameTheSection) {
  std::string bytes = whole_;
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_THAT(load_message(bytes),
              HasSubstr("section 'predictor/weights' does not match its checksum"));
  sample::write_bytes(path_, bytes);
  const auto checks = check_sections(path_);
  EXPECT_FALSE(checks.back().intact);
  EXPECT_TRUE(std::all_of(checks.begin(), checks.end() - 1,
                          [](const SectionCheck& check) { return check.intact; }));
}

TEST_F(Damage, CheckListsASectionEvenWhenItsNumbersAreUnfit) {
  std::string bytes = whole_;
  bytes[bytes.size() - 5] = '\x7f';  // at or near the last weight before the padding
  bytes[bytes.size() - 6] = '\xff';
  sample::write_bytes(path_, bytes);
  EXPECT_FALSE(check_sections(path_).back().intact);
  EXPECT_THROW(load_model(path_, false), ModelFileError);
}

TEST_F(Damage, NewerFormatAsksForANewerProgram) {
  std::string bytes = whole_;
  bytes[8] = 3;
  restore_header_crc(bytes);
  EXPECT_THAT(load_message(bytes),
              HasSubstr("made by a newer megadapt (format 3, this program reads up to 2)\n"
                        "fix: install a newer version"));
}

TEST_F(Damage, ForeignFilesAreGuessed) {
  EXPECT_THAT(load_message(""), HasSubstr("empty"));
  EXPECT_THAT(load_message("MEGA"), HasSubstr("ends within"));
  EXPECT_THAT(load_message("\x1f\x8b\x08 zipped"), HasSubstr("gzip"));
  EXPECT_THAT(load_message("\x28\xb5\x2f\xfd zipped"), HasSubstr("zstd"));
  EXPECT_THAT(load_message("PK\x03\x04 zipped"), HasSubstr("zip"));
  EXPECT_THAT(load_message("spam\tw=a w=b\n"), HasSubstr("text file"));
  EXPECT_THAT(load_message("megadapt model text 1\n"), HasSubstr("model import"));
  EXPECT_THAT(load_message(std::string("\x7f"
                                       "ELF\x01\x00\x02",
                                       7)),
              HasSubstr("not a megadapt model"));
}

}  // namespace
}  // namespace megadapt
