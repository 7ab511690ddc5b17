#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "corpus/read_all.hpp"
#include "corpus/temp_file.hpp"

namespace megadapt::corpus {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string opening_error(const std::string& path, const ReadOptions& options = {}) {
  try {
    drain(*megadapt::open_rows(path, options));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// While it lives, standard input is `file`: the reading end of a pipe, or a regular file.
class StandardInput {
 public:
  explicit StandardInput(int file) : saved_(dup(STDIN_FILENO)) {
    dup2(file, STDIN_FILENO);
    close(file);
  }
  ~StandardInput() {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
  }
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int saved_;
};

TEST(Open, AMissingFileSuggestsItsNeighbour) {
  const std::filesystem::path folder = TempFile::unique_path();
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "news.txt") << "a f\n";
  std::ofstream(folder / "other") << "a f\n";
  EXPECT_EQ(opening_error(folder / "new.txt"),
            fmt::format("{}/new.txt: no such file\nfix: did you mean '{}/news.txt'?",
                        folder.string(), folder.string()));
  EXPECT_THAT(opening_error(folder / "nothing-like-it"),
              AllOf(HasSubstr("no such file"), HasSubstr("check the path")));
  EXPECT_THAT(opening_error(folder / "no" / "folder"), HasSubstr("no such file"));
  std::filesystem::remove_all(folder);
}

TEST(Open, ADirectory) {
  EXPECT_THAT(opening_error(testing::TempDir()),
              AllOf(HasSubstr("is a directory"), HasSubstr("fix: name a file in it")));
}

TEST(Open, NoPermission) {
  const TempFile file("a f\n");
  chmod(file.path().c_str(), 0);
  constexpr uid_t kNobody = 65534;
  const bool root = geteuid() == 0;  // root may read every file
  const auto become = [&](uid_t user) { ASSERT_TRUE(!root || seteuid(user) == 0); };
  become(kNobody);
  const std::string error = opening_error(file.path());
  become(0);
  EXPECT_THAT(error, AllOf(HasSubstr("no permission"), HasSubstr("fix: chmod +r ")));
}

TEST(Open, EmptyFiles) {
  const TempFile empty(""), mark("\xef\xbb\xbf"), blank("\n \n\t\n");
  EXPECT_EQ(opening_error(empty.path()),
            empty.path() + ": is empty\nfix: give a file with rows");
  EXPECT_THAT(opening_error(mark.path()), HasSubstr("is empty"));
  EXPECT_THAT(opening_error(blank.path()), HasSubstr("has no rows"));
}

TEST(Open, StandardInput) {
  const TempFile file("a f\nb g\n");
  const StandardInput redirected(open(file.path().c_str(), O_RDONLY));
  const auto reader = megadapt::open_rows("-");
  EXPECT_EQ(drain(*reader).size(), 2U);
  EXPECT_EQ(reader->place().file, "standard input");
}

TEST(Open, APipeIsAnsweredLineByLine) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const StandardInput redirected(ends[0]);
  ASSERT_EQ(::write(ends[1], "a f\n", 4), 4);
  const auto reader = megadapt::open_rows("-");  // would hang if it read more than a line
  Row row;
  ASSERT_TRUE(reader->next(row));
  EXPECT_EQ(row.label, "a");
  ASSERT_EQ(::write(ends[1], "b\n", 2), 2);
  ASSERT_TRUE(reader->next(row));
  EXPECT_EQ(row.label, "b");
  close(ends[1]);
  EXPECT_FALSE(reader->next(row));
}

TEST(Open, ASignalInterruptsAWaitingRead) {
  struct sigaction quiet {};
  struct sigaction before {};
  quiet.sa_handler = [](int) {};
  sigaction(SIGUSR1, &quiet, &before);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const StandardInput redirected(ends[0]);
  std::atomic<bool> stop = false, finished = false;
  const pthread_t reading = pthread_self();
  std::thread interrupter([&] {
    stop = true;
    while (!finished) {
      pthread_kill(reading, SIGUSR1);  // repeat: the read may not have begun yet
      std::this_thread::yield();
    }
  });
  EXPECT_THROW(megadapt::open_rows("-", {.stop = &stop}), Interrupted);
  finished = true;
  interrupter.join();
  close(ends[1]);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(Open, PlaceIsThatOfTheLastRow) {
  const auto reader = reader_of("a f\nb g h\n");
  Row row;
  reader->next(row);
  reader->next(row);
  const Place place = reader->place();
  EXPECT_EQ(place.file, "data");
  EXPECT_EQ(place.line, 2U);
  EXPECT_EQ(place.text, "b g h");
}

TEST(Open, CarriageReturnsAndByteOrderMarksInEveryFormat) {
  const std::string mark = "\xef\xbb\xbf";
  const std::vector<std::pair<std::string, Format>> files = {
      {"a f\r\nb g\r\n", Format::megam},
      {"a 1:2\r\nb 3:4\r\n", Format::libsvm},
      {"{\"label\":\"a\",\"features\":[]}\r\n{\"label\":\"b\",\"features\":[]}\r\n",
       Format::jsonl},
      {"label,text\r\na,f\r\nb,g\r\n", Format::csv},
      {"label\ttext\r\na\tf\r\nb\tg\r\n", Format::tsv}};
  for (const auto& [text, format] : files) {
    const auto reader = reader_of(mark + text);
    EXPECT_EQ(reader->format(), format);
    const auto rows = drain(*reader);
    ASSERT_EQ(rows.size(), 2U) << text;
    EXPECT_EQ(rows[0].label, "a");
    EXPECT_EQ(rows[1].label, "b");
    for (const auto& [name, value] : rows[1].features)
      EXPECT_THAT(name, testing::Not(EndsWith("\r")));
  }
}

TEST(Open, ALineOfTenMegabytes) {
  std::string text = "a";
  std::size_t features = 0;
  while (text.size() < 10'000'000) text += fmt::format(" f{}", features++);
  const auto rows = read_all(text + "\nb g\n", ReadOptions{});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].features.size(), features);
  EXPECT_EQ(rows[0].features.back().first, fmt::format("f{}", features - 1));
}

TEST(Open, ALongBadLineIsShownShortened) {
  const std::string error =
      error_of("\t" + std::string(10'000'000, 'x') + "\n", Format::megam);
  EXPECT_THAT(error, StartsWith("data:1: no label"));
  EXPECT_LT(error.size(), 1000U);
}

TEST(Open, InvalidUtf8NamesLineAndByte) {
  EXPECT_THAT(error_of("a f\nb caf\xe9\n", ReadOptions{}),
              StartsWith("data:2: byte 6 of the line (0xe9) is not valid UTF-8"));
}

}  // namespace
}  // namespace megadapt::corpus
