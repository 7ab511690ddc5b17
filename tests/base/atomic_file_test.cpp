#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "megadapt/error.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using sample::read_bytes;
using sample::TempFolder;
using sample::write_bytes;
using testing::ElementsAre;
using testing::HasSubstr;

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

std::string message_of(const std::string& path) {
  try {
    AtomicFile file(path);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

// While it lives, writing more than `bytes` to any file fails, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST(AtomicFile, AppearsOnCommitOnly) {
  const TempFolder folder;
  AtomicFile file(folder / "out");
  file.write("hello ");
  file.write(std::string(200000, 'x'));
  file.flush();
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  file.commit();
  EXPECT_EQ(read_bytes(folder / "out"), "hello " + std::string(200000, 'x'));
  EXPECT_THAT(folder.files(), ElementsAre("out"));
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TempFolder folder;
  write_bytes(folder / "out", "old");
  {
    AtomicFile file(folder / "out");
    file.write("new");
    file.flush();
  }
  EXPECT_EQ(read_bytes(folder / "out"), "old");
  EXPECT_THAT(folder.files(), ElementsAre("out"));
}

TEST(AtomicFile, KeepsTheModeOfAnExistingFileAndObeysTheUmaskForANewOne) {
  const TempFolder folder;
  write_bytes(folder / "old", "");
  chmod((folder / "old").c_str(), 0640);
  const mode_t mask = umask(027);
  for (const char* name : {"old", "new"}) AtomicFile(folder / name).commit();
  umask(mask);
  EXPECT_EQ(mode_of(folder / "old"), 0640U);
  EXPECT_EQ(mode_of(folder / "new"), 0640U & ~027U);
}

TEST(AtomicFile, ReplacesWhatALinkPointsTo) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "data");
  std::filesystem::create_symlink("data/real", folder / "link");
  for (const char* text : {"first", "second"}) {  // a dangling link, then a live one
    AtomicFile file(folder / "link");
    file.write(text);
    file.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_bytes(folder / "data/real"), text);
  }
}

TEST(AtomicFile, WritesDevicesDirectly) {
  AtomicFile file("/dev/null");
  file.write("gone");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, WritesPipesDirectly) {
  const TempFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  const int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  AtomicFile file(folder / "pipe");
  file.write("through");
  file.commit();
  char buffer[16];
  const ssize_t size = read(reader, buffer, sizeof buffer);
  close(reader);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(size)), "through");
  EXPECT_THAT(folder.files(), ElementsAre("pipe"));
}

TEST(AtomicFile, DashIsStandardOutput) {
  testing::internal::CaptureStdout();
  AtomicFile file("-");
  file.write("shown");
  file.commit();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "shown");
}

TEST(AtomicFile, StreamWritesTheSameFile) {
  const TempFolder folder;
  AtomicFile file(folder / "out");
  file.write("a");
  file.stream() << 12 << ' ' << std::string(100000, 'y') << std::flush;
  file.commit();
  EXPECT_EQ(read_bytes(folder / "out"), "a12 " + std::string(100000, 'y'));
}

TEST(AtomicFile, FullDiskIsAResourceError) {
  AtomicFile file("/dev/full");
  file.write("x");
  EXPECT_THROW(file.commit(), ResourceError);
  AtomicFile streamed("/dev/full");
  EXPECT_THROW(streamed.stream() << "x" << std::flush, ResourceError);
}

TEST(AtomicFile, FullDiskLeavesNothingBehind) {
  const TempFolder folder;
  write_bytes(folder / "old", "old");
  {
    const FileSizeLimit limit(100000);
    for (const char* name : {"old", "new"}) {
      AtomicFile file(folder / name);
      EXPECT_THROW(
          {
            file.write(std::string(200000, 'x'));
            file.commit();
          },
          ResourceError);
    }
  }
  EXPECT_THAT(folder.files(), ElementsAre("old"));
  EXPECT_EQ(read_bytes(folder / "old"), "old");
}

TEST(AtomicFile, SaysWhyAPlaceCannotBeWritten) {
  const TempFolder folder;
  write_bytes(folder / "file", "");
  EXPECT_THAT(message_of(folder / "missing/out"), HasSubstr("fix: create the directory"));
  EXPECT_THAT(message_of(folder / "."), HasSubstr("Is a directory"));
  EXPECT_THAT(message_of(folder / "new/"), HasSubstr("Is a directory"));
  EXPECT_THAT(message_of(""), HasSubstr("fix: give the name of a file"));
  EXPECT_THAT(message_of(folder / "file/out"), HasSubstr("Not a directory"));
  EXPECT_THAT(message_of(folder / std::string(300, 'n')), HasSubstr("too long"));
}

TEST(AtomicFile, TwoWritersDoNotDisturbEachOther) {
  const TempFolder folder;
  AtomicFile first(folder / "out");
  AtomicFile second(folder / "out");
  first.write("first");
  second.write("second");
  second.commit();
  EXPECT_EQ(read_bytes(folder / "out"), "second");
  first.commit();
  EXPECT_EQ(read_bytes(folder / "out"), "first");
}

}  // namespace
}  // namespace megadapt
