#include "models/text_form.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <clocale>
#include <sstream>

#include "container/container.hpp"
#include "container/sections.hpp"
#include "megadapt/error.hpp"
#include "megadapt/model.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using sample::TempFolder;
using testing::HasSubstr;

std::string exported(const std::string& path) {
  std::ostringstream out;
  export_model(path, out);
  return out.str();
}

void import(const std::string& text, const std::string& path) {
  std::istringstream in(text);
  import_model(in, "m.txt", path);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

RC_GTEST_PROP(TextForm, EscapingIsUndone, (const std::string& text)) {
  std::string line;
  append_escaped(line, text);
  RC_ASSERT(line.find_first_of("\n\r\t") == std::string::npos);
  RC_ASSERT(unescape(line) == text);
}

TEST(TextForm, BadEscapesAreRefused) {
  for (const char* line : {"\\", "\\q", "\\x", "\\x1", "\\xg0", "\\x-1"}) {
    EXPECT_FALSE(unescape(line)) << line;
  }
}

RC_GTEST_PROP(TextForm, AnyModelComesBackByteForByte, (std::uint32_t seed)) {
  std::mt19937 random(seed);
  const TempFolder folder;
  save_model(sample::random_model(random), folder / "m.mega");
  import(exported(folder / "m.mega"), folder / "again.mega");
  RC_ASSERT(sample::read_bytes(folder / "again.mega") ==
            sample::read_bytes(folder / "m.mega"));
}

TEST(TextForm, IsReadable) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  const std::string text = exported(folder / "m.mega");
  EXPECT_THAT(text, testing::StartsWith("megadapt model text 1\nsection info text 1 "));
  EXPECT_THAT(text, HasSubstr("\nnames labels 3\nA\nB\nC c\n"));
  EXPECT_THAT(text, HasSubstr("\nindex features 5\n\nw=bank\ntab\\there\n"
                              "line\\nbreak \\\\ \\x01\\x7f\n"));
  EXPECT_THAT(text, HasSubstr("\nsection predictor/weights f32 4 5\n0.5 -0.25 0 0\n"
                              "1e-30 3 -0 0\n0.33333334 2 1 0\n"));
  EXPECT_THAT(text, testing::EndsWith("\nend\n"));
}

// Sections that this version does not use are exported as well.
TEST(TextForm, ExportsSectionsOfAnyKind) {
  const TempFolder folder;
  const std::vector<double> doubles{0.1, -1e-300, 5e-324, 2};
  const std::vector<std::uint32_t> ids{1, 0xffffffff};
  const std::vector<std::uint64_t> slots{1, 2, 3};
  const std::vector<char> chars{'a', '\0', '\n'};
  SectionWriter writer;
  writer.add("notes", std::string("two\nlines\n"));
  writer.add("empty", std::string());
  writer.add("a/doubles", doubles, 2);
  writer.add("a/ids", ids);
  writer.add("a/slots", slots);
  writer.add("a/bytes", chars);
  std::string file;
  write_container(writer, [&](std::span<const std::byte> bytes) {
    file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  sample::write_bytes(folder / "m", file);
  EXPECT_EQ(exported(folder / "m"),
            "megadapt model text 1\n"
            "section notes text 1 3\ntwo\nlines\n\n"
            "section empty text 1 1\n\n"
            "section a/doubles f64 2 2\n0.1 -1e-300\n5e-324 2\n"
            "section a/ids u32 1 2\n1\n4294967295\n"
            "section a/slots u64 1 3\n1\n2\n3\n"
            "section a/bytes chars 1 1\na\\x00\\n\n"
            "end\n");
}

// If importing the names would build a different hash table, the table itself is exported.
TEST(TextForm, KeepsAnotherHashTable) {
  const TempFolder folder;
  Model model = sample::make_model({"f", "g"}, {"a", "b"}, {1, 2, 3, 4});
  auto wider = std::make_shared<std::vector<std::uint64_t>>(4096);
  const auto slots = model.features.slots;
  for (std::size_t i = 0; i < slots.size(); i += 2) {
    if (slots[i + 1] == 0) continue;
    (*wider)[2 * (slots[i] & 2047)] = slots[i];
    (*wider)[2 * (slots[i] & 2047) + 1] = slots[i + 1];
  }
  model.features.slots = *wider;
  save_model(model, folder / "m.mega");
  const std::string text = exported(folder / "m.mega");
  EXPECT_THAT(text, HasSubstr("\nsection features/slots u64 1 4096\n"));
  EXPECT_THAT(text, HasSubstr("\nnames features 2\nf\ng\n"));
  import(text, folder / "again.mega");
  EXPECT_EQ(sample::read_bytes(folder / "again.mega"),
            sample::read_bytes(folder / "m.mega"));
}

TEST(TextForm, WindowsLineEndsAreAccepted) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  std::string text;
  for (const char c : exported(folder / "m.mega"))
    text += c == '\n' ? "\r\n" : std::string(1, c);
  import(text, folder / "again.mega");
  EXPECT_EQ(sample::read_bytes(folder / "again.mega"),
            sample::read_bytes(folder / "m.mega"));
}

TEST(TextForm, BadTextNamesTheLine) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  const std::string text = exported(folder / "m.mega");
  const auto message = [&](const std::string& changed) -> std::string {
    try {
      import(changed, folder / "bad.mega");
    } catch (const InputError& error) {
      return error.what();
    }
    return "imported";
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    return message(replaced(text, from, to));
  };
  EXPECT_THAT(message("hello\n"), HasSubstr("m.txt:1: this is not the text form"));
  EXPECT_THAT(message(""), HasSubstr("m.txt:1: the text ends too early"));
  EXPECT_THAT(with("text 1\n", "text 2\n"), HasSubstr("newer"));
  EXPECT_THAT(message("megadapt model text 1\nnonsense\n"), HasSubstr("m.txt:2: "));
  EXPECT_THAT(message("megadapt model text 1\nchapter x\n"),
              HasSubstr("m.txt:2: expected"));
  EXPECT_THAT(message("megadapt model text 1\nsection x f16 1 1\n"),
              HasSubstr("unknown type"));
  EXPECT_THAT(message("megadapt model text 1\nsection x f32 0 1\n"), HasSubstr("columns"));
  EXPECT_THAT(message("megadapt model text 1\nsection x u32 1 18446744073709551615\n1\n"),
              HasSubstr("m.txt:4: the text ends too early"));
  EXPECT_THAT(message("megadapt model text 1\nnames x\n"), HasSubstr("number of names"));
  for (const char* bad : {"nan", "inf", "-inf", "1e39", "0,5", "0x1", "", "0.5 ", "+1"}) {
    EXPECT_THAT(with("0.5 -0.25", std::string(bad) + " -0.25"), HasSubstr("number")) << bad;
  }
  EXPECT_THAT(with("0.5 -0.25 0 0", "0.5 -0.25 0"), HasSubstr("number 4 of 4"));
  EXPECT_THAT(with("0.5 -0.25 0 0", "0.5 -0.25 0 0 0"), HasSubstr("more than 4"));
  EXPECT_THAT(with("0.5 -0.25 0 0", "0.5 -0.25 0 0 "), HasSubstr("more than 4"));
  EXPECT_THAT(with("tab\\there", "tab\\qhere"), HasSubstr("backslash"));
  EXPECT_THAT(with("tab\\there", "w=bank"), HasSubstr("this name occurs twice"));
  EXPECT_THAT(with("\nend\n", "\nend\nmore\n"), HasSubstr("after the line 'end'"));
  EXPECT_THAT(with("\nend\n", "\nnames labels 0\nend\n"), HasSubstr("second section"));
  EXPECT_THAT(with("\nend\n", "\n"), HasSubstr("ends too early"));
  EXPECT_THAT(with("names labels 3\nA\n", "names labels 2\n"),
              HasSubstr("do not form a model"));
  EXPECT_FALSE(std::filesystem::exists(folder / "bad.mega"));
}

TEST(TextForm, EveryTruncationIsRefused) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  const std::string text = exported(folder / "m.mega");
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_THROW(import(text.substr(0, size), folder / "bad.mega"), InputError) << size;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "bad.mega"));
}

TEST(TextForm, DamagedFilesAreNotExported) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  std::string bytes = sample::read_bytes(folder / "m.mega");
  bytes.back() = 'x';
  sample::write_bytes(folder / "m.mega", bytes);
  EXPECT_THROW(exported(folder / "m.mega"), ModelFileError);
}

// A locale with a decimal comma and grouped thousands must not change anything.
class CommaNumbers : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(TextForm, DoesNotDependOnTheLocale) {
  const TempFolder folder;
  save_model(sample::small_model(), folder / "m.mega");
  const std::string text = exported(folder / "m.mega");
  const std::locale old =
      std::locale::global(std::locale(std::locale::classic(), new CommaNumbers));
  const std::string again = exported(folder / "m.mega");
  import(again, folder / "again.mega");
  save_model(sample::small_model(), folder / "saved.mega");
  std::locale::global(old);
  EXPECT_EQ(again, text);
  EXPECT_EQ(sample::read_bytes(folder / "again.mega"),
            sample::read_bytes(folder / "m.mega"));
  EXPECT_EQ(sample::read_bytes(folder / "saved.mega"),
            sample::read_bytes(folder / "m.mega"));
}

}  // namespace
}  // namespace megadapt
