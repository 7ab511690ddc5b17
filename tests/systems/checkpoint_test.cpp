// Checkpoints with right checksums and wrong content. Each must be refused before its
// numbers are used.
#include "systems/checkpoint.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "container/container.hpp"
#include "models/sample_model.hpp"
#include "support/planted_domains.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;
using testing_support::planted_domains;

struct CheckpointPart {
  std::string name;
  SectionType type;
  std::vector<std::byte> bytes;
};

class HostileCheckpoint : public testing::Test {
 protected:
  HostileCheckpoint() {
    checkpoint().save(state());
    const std::string file = sample::read_bytes(path_);
    const Container in(std::as_bytes(std::span(file)), path_);
    for (const auto& entry : in.entries()) {
      parts_.push_back({entry.name, entry.type, {entry.bytes.begin(), entry.bytes.end()}});
    }
  }

  Checkpoint checkpoint() const {
    return {path_, "options", 3, data_, true, serial_communicator()};
  }

  MixtureState state() const {
    const std::size_t F = data_.num_features(), K = data_.num_domains();
    const Component component{std::vector<double>(F * data_.num_labels(), 0.5),
                              std::vector<double>(F, 0.5)};
    const std::vector<double> rows(data_.num_examples(), 0.5);
    return {2,
            {component,
             {K, component},
             std::vector<double>(K, 0.5),
             {{0, 0}, std::vector<double>(F * K)},
             0},
            rows,
            rows};
  }

  std::string message() const {
    SectionWriter out;
    for (const CheckpointPart& part : parts_) out.add(part.name, part.type, 1, part.bytes);
    std::string file;
    write_container(out, [&](std::span<const std::byte> bytes) {
      file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    sample::write_bytes(path_, file);
    try {
      checkpoint().load();
    } catch (const ModelFileError& error) {
      return error.what();
    } catch (const UsageError& error) {
      return std::string("usage: ") + error.what();
    }
    return "loaded";
  }

  // The message for a checkpoint in which `change` was applied to one section.
  std::string message_with(std::size_t index,
                           const std::function<void(CheckpointPart&)>& change) {
    const CheckpointPart saved = parts_[index];
    change(parts_[index]);
    const std::string text = message();
    parts_[index] = saved;
    return text;
  }

  std::string message_with(const std::string& name, std::vector<double> values) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].name != name) continue;
      return message_with(i, [&](CheckpointPart& part) {
        std::memcpy(part.bytes.data(), values.data(), values.size() * sizeof(double));
      });
    }
    return "no such section";
  }

  sample::TempFolder folder_;
  std::string path_ = folder_ / "c.mega";
  Dataset data_ = planted_domains(20, 10, 1);
  std::vector<CheckpointPart> parts_;
};

TEST_F(HostileCheckpoint, AnUnchangedOneLoads) {
  EXPECT_EQ(message(), "loaded");
  const auto state = checkpoint().load();
  ASSERT_TRUE(state);
  EXPECT_EQ(state->rounds_done, 2);
  EXPECT_EQ(state->fitted_general.size(), data_.num_examples());
}

TEST_F(HostileCheckpoint, SectionsOfAnotherSizeTypeOrNameAreRefused) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool text = parts_[i].type == SectionType::text;
    const std::size_t size = element_size(parts_[i].type);
    const auto refused = [&](const std::function<void(CheckpointPart&)>& change) {
      EXPECT_NE(message_with(i, change), "loaded") << parts_[i].name;
    };
    if (!parts_[i].bytes.empty()) {
      refused([&](CheckpointPart& part) { part.bytes.resize(part.bytes.size() - size); });
      refused([&](CheckpointPart& part) { part.bytes.clear(); });
    }
    refused([&](CheckpointPart& part) { part.bytes.resize(part.bytes.size() + size); });
    refused([&](CheckpointPart& part) { part.name = "another"; });
    refused([&](CheckpointPart& part) {
      part.type = text ? SectionType::chars : SectionType::text;
    });
  }
}

TEST_F(HostileCheckpoint, NumbersOutOfRangeAreRefused) {
  for (const char* name : {"general_share", "general/presence", "domain1/presence"}) {
    for (const double value : {-0.001, 1.001, 1e90}) {
      EXPECT_THAT(message_with(name, {value}), HasSubstr("outside 0 to 1")) << name;
    }
  }
}

// Setting the sign bit once made a training that never ended.
TEST_F(HostileCheckpoint, MoreRoundsThanTheTrainingHasAreRefused) {
  for (const std::uint32_t rounds : {4U, 0x7fffffffU, 0x80000000U, 0xffffffffU}) {
    const auto at = std::find_if(parts_.begin(), parts_.end(), [](const auto& part) {
      return part.name == "rounds_done";
    });
    std::memcpy(at->bytes.data(), &rounds, sizeof rounds);
    EXPECT_THAT(message(), HasSubstr("rounds_done")) << rounds;
  }
}

TEST_F(HostileCheckpoint, EveryFlippedByteIsNoticedOrHarmless) {
  message();
  const std::string whole = sample::read_bytes(path_);
  std::size_t loaded = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    sample::write_bytes(path_, bytes);
    try {
      checkpoint().load();
      ++loaded;  // in the padding between sections
    } catch (const ModelFileError&) {
    }
  }
  EXPECT_LT(loaded, whole.size() / 5);
}

}  // namespace
}  // namespace megadapt
