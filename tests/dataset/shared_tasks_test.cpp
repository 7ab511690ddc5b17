// Reads the real files of four tasks, if they are present, and checks their counts.

#include <filesystem>

#include "dataset/task_files.hpp"

namespace megadapt {
namespace {

Dataset shared_task(const std::string& task, const std::string& file) {
  return read_dataset({{"d", std::string(MEGADAPT_SHARED_FOLDER) + "/data/" + file}},
                      {.task = TaskOptions{.task = task}});
}

#define SKIP_WITHOUT_SHARED_DATA()                                             \
  if (!std::filesystem::exists(std::string(MEGADAPT_SHARED_FOLDER) + "/data")) \
  GTEST_SKIP() << "no shared data at " << MEGADAPT_SHARED_FOLDER

TEST(SharedTasks, PartsOfSpeech) {
  SKIP_WITHOUT_SHARED_DATA();
  const Dataset data = shared_task("pos", "pos/in.train.conll.gz");
  EXPECT_EQ(data.num_examples(), 3001u);
  EXPECT_EQ(data.sentence_begin.size(), 208u + 1);
  EXPECT_EQ(data.groups().size(), 36u);
  EXPECT_EQ(data.num_labels(), 17u);
}

TEST(SharedTasks, Mentions) {
  SKIP_WITHOUT_SHARED_DATA();
  const Dataset data = shared_task("mention", "mention-tagging/in.train.conll.gz");
  EXPECT_EQ(data.num_examples(), 5053u);
  EXPECT_EQ(data.sentence_begin.size(), 352u + 1);
  EXPECT_EQ(data.groups().size(), 6u);
}

TEST(SharedTasks, MentionTypes) {
  SKIP_WITHOUT_SHARED_DATA();
  const Dataset data = shared_task("mention-type", "mention-type/in.train.jsonl.gz");
  EXPECT_EQ(data.num_examples(), 1005u);
  EXPECT_EQ(data.groups().size(), 6u);
}

TEST(SharedTasks, Recap) {
  SKIP_WITHOUT_SHARED_DATA();
  const Dataset data = shared_task("recap", "recap/in-swb.train.txt.gz");
  EXPECT_EQ(data.num_examples(), 8640u);
  EXPECT_EQ(data.sentence_begin.size(), 668u + 1);
  std::vector<std::size_t> count(data.num_labels());
  for (const std::uint32_t label : data.label) ++count[label];
  EXPECT_EQ(count[data.labels().find("Lowercase")], 5923u);
  EXPECT_EQ(count[data.labels().find("Capitalized")], 983u);
  EXPECT_EQ(count[data.labels().find("Mixed")], 4u);
}

}  // namespace
}  // namespace megadapt
