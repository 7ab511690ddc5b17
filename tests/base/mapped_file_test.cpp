#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <thread>

#include "megadapt/error.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

std::string text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, ShowsTheBytes) {
  const sample::TempFolder folder;
  const std::string text(100001, 'z');
  sample::write_bytes(folder / "file", text);
  EXPECT_EQ(text_of(MappedFile(folder / "file")), text);
}

TEST(MappedFile, MayBeEmpty) {
  const sample::TempFolder folder;
  sample::write_bytes(folder / "file", "");
  EXPECT_TRUE(MappedFile(folder / "file").bytes().empty());
}

TEST(MappedFile, ReadsAPipeIntoMemory) {
  const sample::TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string text(3000000, 'p');
  std::thread writer([&] { sample::write_bytes(folder / "pipe", text); });
  EXPECT_EQ(text_of(MappedFile(folder / "pipe")), text);
  writer.join();
}

TEST(MappedFile, DashIsStandardInput) {
  const sample::TempFolder folder;
  sample::write_bytes(folder / "file", "from outside");
  const int old = dup(STDIN_FILENO);
  const int file = open((folder / "file").c_str(), O_RDONLY);
  dup2(file, STDIN_FILENO);
  const std::string text = text_of(MappedFile("-"));
  dup2(old, STDIN_FILENO);
  close(old);
  close(file);
  EXPECT_EQ(text, "from outside");
}

TEST(MappedFile, SaysWhyAFileCannotBeRead) {
  const sample::TempFolder folder;
  EXPECT_THROW(MappedFile(folder / "missing"), InputError);
  EXPECT_THROW(MappedFile(folder / "."), InputError);
}

}  // namespace
}  // namespace megadapt
