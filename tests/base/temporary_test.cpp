#include "base/temporary.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/atomic_file.hpp"
#include "models/sample_model.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A process that runs `work` and then waits to be killed.
class OtherProcess {
 public:
  template <class Work>
  explicit OtherProcess(Work work) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) {
      work();
      [[maybe_unused]] const auto told = write(ends[1], "x", 1);
      for (;;) pause();
    }
    char ready;
    [[maybe_unused]] const auto got = read(ends[0], &ready, 1);
    close(ends[0]);
    close(ends[1]);
  }
  ~OtherProcess() { kill_it(); }
  void kill_it() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
};

TEST(Temporaries, TheNextWriterRemovesThoseOfADeadProcess) {
  const sample::TempFolder folder;
  OtherProcess other([&] { new AtomicFile(folder / "out"); });
  EXPECT_THAT(folder.files(), SizeIs(1));
  other.kill_it();
  EXPECT_THAT(folder.files(), SizeIs(1));
  AtomicFile(folder / "another").commit();
  EXPECT_THAT(folder.files(), ElementsAre("another"));
}

TEST(Temporaries, ThoseOfALiveProcessStay) {
  const sample::TempFolder folder;
  const OtherProcess other([&] { new AtomicFile(folder / "out"); });
  const AtomicFile own(folder / "own");
  EXPECT_THAT(folder.files(), SizeIs(2));
  sweep_temporaries(folder / ".");  // the same folder by another name
  EXPECT_THAT(folder.files(), SizeIs(2));
}

// In containers every program may have the same process id, so the lock decides.
TEST(Temporaries, AnOldFileWithOurOwnProcessIdIsRemoved) {
  const sample::TempFolder folder;
  const std::string old = temporary_name(folder / "");
  sample::write_bytes(old, "left over");
  std::filesystem::create_directories(temporary_name(folder / "") + "/inside");
  sweep_temporaries(folder / "");
  EXPECT_THAT(folder.files(), IsEmpty());
}

TEST(Temporaries, OtherNamesAndLinksStay) {
  const sample::TempFolder folder;
  const std::vector<std::string> names = {".megadapt-1-.tmp", ".megadapt-x-1.tmp",
                                          ".megadapt-999999999-1.tmp.bak",
                                          ".megadapt--1.tmp", "megadapt-999999999-1.tmp"};
  for (const std::string& name : names) sample::write_bytes(folder / name, "");
  std::filesystem::create_symlink("megadapt-999999999-1.tmp",
                                  folder / ".megadapt-999999999-7.tmp");
  ASSERT_EQ(mkfifo((folder / ".megadapt-999999999-8.tmp").c_str(), 0600), 0);
  sweep_temporaries(folder / "");
  EXPECT_THAT(folder.files(), SizeIs(names.size() + 2));
}

TEST(Temporaries, AFileThatWasRemovedBeforeItsLockIsNotUsed) {
  const sample::TempFolder folder;
  const std::string name = temporary_name(folder / "");
  const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
  ASSERT_GE(descriptor, 0);
  std::filesystem::remove(name);
  EXPECT_FALSE(lock_temporary(descriptor));
  close(descriptor);
}

// What the handlers of signals and of uncaught exceptions do, where no destructor runs.
TEST(Temporaries, AProcessThatEndsWithoutDestructorsRemovesItsOwn) {
  const sample::TempFolder folder;
  AtomicFile(folder / "done").commit();
  const OtherProcess other([&] {
    new AtomicFile(folder / "out");
    new AtomicFile(folder / "another");
    unlink_noted_temporaries();
  });
  EXPECT_THAT(folder.files(), ElementsAre("done"));
}

TEST(Temporaries, MoreFilesThanNotesAreWrittenAllTheSame) {
  const sample::TempFolder folder;
  {
    std::vector<std::unique_ptr<AtomicFile>> files;
    for (int i = 0; i < 40; ++i) {
      files.push_back(std::make_unique<AtomicFile>(folder / std::to_string(i)));
    }
    files.front()->commit();
    files.back()->commit();
  }
  EXPECT_THAT(folder.files(), SizeIs(2));
}

}  // namespace
}  // namespace megadapt
