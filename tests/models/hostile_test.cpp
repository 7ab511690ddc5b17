// Files with valid checksums but invalid content.

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "container/container.hpp"
#include "container/sections.hpp"
#include "megadapt/error.hpp"
#include "models/model_over.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using testing::HasSubstr;

using Bytes = std::vector<std::byte>;

struct Part {
  std::string name;
  SectionType type;
  std::uint32_t columns;
  Bytes bytes;
};

template <class T>
Bytes as_bytes_of(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Bytes as_bytes_of(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

class Hostile : public testing::Test {
 protected:
  Hostile() {
    const sample::TempFolder folder;
    save_model(sample::small_model(), folder / "m.mega");
    const std::string file = sample::read_bytes(folder / "m.mega");
    const Container container(std::as_bytes(std::span(file)), "");
    for (const auto& entry : container.entries()) {
      parts_.push_back({entry.name, entry.type, entry.columns,
                        Bytes(entry.bytes.begin(), entry.bytes.end())});
    }
  }

  Part& part(const std::string& name) {
    for (Part& part : parts_) {
      if (part.name == name) return part;
    }
    throw std::out_of_range(name);
  }

  // Returns what loading says about the parts, written with valid checksums.
  std::string message() {
    SectionWriter writer;
    for (const Part& part : parts_)
      writer.add(part.name, part.type, part.columns, part.bytes);
    std::string file;
    write_container(writer, [&](std::span<const std::byte> bytes) {
      file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    });
    try {
      model_over(std::as_bytes(std::span(file)), "m.mega", true);
    } catch (const ModelFileError& error) {
      return error.what();
    }
    return "loaded";
  }

  std::string message_with(const std::string& name, Bytes bytes) {
    const auto saved = parts_;
    part(name).bytes = std::move(bytes);
    const std::string text = message();
    parts_ = saved;
    return text;
  }

  std::string info_with(const std::string& from, const std::string& to) {
    const Bytes& bytes = part("info").bytes;
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return message_with("info", as_bytes_of(text.replace(at, from.size(), to)));
  }

  std::vector<Part> parts_;
};

TEST_F(Hostile, TheUnchangedPartsLoad) { EXPECT_EQ(message(), "loaded"); }

TEST_F(Hostile, NamesOutsideTheirBytes) {
  using Ends = std::vector<std::uint64_t>;
  for (const Ends& ends :
       {Ends{0, 6, 14, 99, 29}, Ends{0, 6, 14, 12, 29}, Ends{0, 6, 14, 27},
        Ends{0, 6, 14, 27, ~std::uint64_t{0}}, Ends{}}) {
    EXPECT_THAT(message_with("features/ends", as_bytes_of(ends)),
                HasSubstr("features/ends"));
  }
  EXPECT_THAT(message_with("features/bytes", {}), HasSubstr("features/ends"));
  EXPECT_THAT(message_with("labels/bytes", {}), HasSubstr("labels/ends"));
}

TEST_F(Hostile, SlotsThatReferToNoName) {
  using Slots = std::vector<std::uint64_t>;
  // Pairs of a hash (here always 9) and id + 1.
  const Slots full{9, 1, 9, 2, 9, 3, 9, 4, 9, 5};
  const Slots out_of_range{9, 1, 9, 2, 9, 3, 9, 4, 9, 6, 0, 0, 0, 0, 0, 0};
  const Slots id_missing{9, 1, 9, 2, 9, 3, 9, 4, 9, 0, 0, 0, 0, 0, 0, 0};
  const Slots half_a_slot{9, 1, 9, 2, 9, 3, 9, 4, 9, 5, 0, 0, 0, 0, 0};
  for (const Slots& slots :
       {full, out_of_range, id_missing, half_a_slot, Slots{}, Slots{0}}) {
    EXPECT_THAT(message_with("features/slots", as_bytes_of(slots)),
                HasSubstr("features/slots"));
  }
}

TEST_F(Hostile, WeightsThatDoNotFit) {
  using Floats = std::vector<float>;
  part("predictor/weights").columns = 1;
  EXPECT_THAT(message_with("predictor/weights", as_bytes_of(Floats(19))),
              HasSubstr("3 labels"));
  EXPECT_THAT(message_with("predictor/weights", as_bytes_of(Floats(16))),
              HasSubstr("5 features but weights for 4"));
  using Counts = std::vector<std::uint32_t>;
  for (const Counts& count : {Counts{0}, Counts{0xffffffff}, Counts{}, Counts{3, 3}}) {
    EXPECT_THAT(message_with("predictor/num_labels", as_bytes_of(count)),
                HasSubstr("num_labels"));
  }
  EXPECT_THAT(message_with("predictor/num_labels", as_bytes_of(Counts{4})),
              HasSubstr("3 labels but weights for 4"));
}

TEST_F(Hostile, BinsThatDoNotFit) {
  using Counts = std::vector<std::uint32_t>;
  for (const Counts& begin : {Counts{0, 2}, Counts{0, 4, 3}, Counts{1, 2, 3},
                              Counts{0, 2, 2}, Counts{0, 2, 9}, Counts{}}) {
    EXPECT_THAT(message_with("binning/begin", as_bytes_of(begin)),
                HasSubstr("binning/begin"));
  }
  const std::vector<float> falling{3, 2, 1};
  EXPECT_THAT(message_with("binning/edges", as_bytes_of(falling)),
              HasSubstr("binning/begin"));
  EXPECT_THAT(message_with("binning/bytes", as_bytes_of(std::string("ageagexyz"))),
              Not(HasSubstr("twice")));
  part("binning/ends").bytes = as_bytes_of(std::vector<std::uint64_t>{3, 6});
  EXPECT_THAT(message_with("binning/bytes", as_bytes_of(std::string("ageage"))),
              HasSubstr("twice"));
}

TEST_F(Hostile, InfoThatIsNotWhatItShouldBe) {
  EXPECT_THAT(message_with("info", {}), HasSubstr("section 'info'"));
  EXPECT_THAT(message_with("info", as_bytes_of(std::string("[1]"))),
              HasSubstr("section 'info'"));
  EXPECT_THAT(message_with("info", as_bytes_of(std::string(100000, '['))),
              HasSubstr("section 'info'"));
  EXPECT_THAT(info_with("\"seed\"", "\"feed\""), HasSubstr("section 'info'"));
  EXPECT_THAT(info_with("\"maxent\"", "7"), HasSubstr("section 'info'"));
  EXPECT_THAT(info_with("\"target\": \"in\"", "\"target\": \"at\""),
              HasSubstr("none of its domains"));
}

// Valid JSON whose depth would exhaust the stack.
TEST_F(Hostile, DeepJsonIsRefused) {
  const std::string nested = std::string(75000, '[') + std::string(75000, ']');
  EXPECT_THAT(message_with("info", as_bytes_of(nested)), HasSubstr("nested too deeply"));
  EXPECT_THAT(message_with("recipe", as_bytes_of("{\"task\":" + nested + "}")),
              HasSubstr("nested too deeply"));
}

TEST_F(Hostile, UnknownKindsAskForANewerProgram) {
  EXPECT_THAT(info_with("\"maxent\"", "\"mystery\""),
              HasSubstr("m.mega: the model is of the kind 'mystery', which megadapt " +
                        std::string(version()) +
                        " does not know\n"
                        "fix: install a newer version"));
}

TEST_F(Hostile, MissingAndMistypedSections) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part saved = parts_[i];
    if (saved.name == "binning/ends") continue;  // a model may have no bins
    if (saved.name == "recipe") continue;        // models of version 0.1 have none
    parts_[i].name = "another";
    EXPECT_THAT(message(), HasSubstr("it has no section '" + saved.name)) << saved.name;
    parts_[i].name = saved.name;
    parts_[i].type =
        saved.type == SectionType::text ? SectionType::chars : SectionType::text;
    parts_[i].columns = 1;
    EXPECT_THAT(message(), HasSubstr("and should be")) << saved.name;
    parts_[i] = saved;
  }
}

TEST_F(Hostile, TwoSectionsOfOneName) {
  parts_.push_back(parts_.front());
  EXPECT_THAT(message(), HasSubstr("two sections 'info'"));
}

TEST(NumbersInRange, AreFiniteAndCannotOverflowInASum) {
  const auto in_range = [](auto number) {
    const auto type = sizeof number == sizeof(float) ? SectionType::f32 : SectionType::f64;
    return all_in_range(type, as_bytes_of(std::vector{decltype(number)(1), number}));
  };
  EXPECT_TRUE(in_range(1e99));
  EXPECT_TRUE(in_range(-1e99));
  EXPECT_TRUE(in_range(0.0));
  EXPECT_TRUE(in_range(3e38f));
  EXPECT_FALSE(in_range(1e101));
  EXPECT_FALSE(in_range(-1e308));
  EXPECT_FALSE(in_range(double{NAN}));
  EXPECT_FALSE(in_range(HUGE_VAL));
  EXPECT_FALSE(in_range(-HUGE_VALF));
  EXPECT_FALSE(in_range(NAN));
}

}  // namespace
}  // namespace megadapt
