#include <gmock/gmock.h>

#include "dataset/recipe_text.hpp"
#include "features/features.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {
namespace {

TEST(Task, SurvivesItsText) {
  TaskOptions task;
  task.task = "mention";
  task.format = SentenceFormat::conllu;
  task.columns = ColumnChoice::parse("token=FORM,tag=last,pos=XPOS");
  task.features = "w # \"quoted\"\ntag[-1]\n";
  task.scheme = "iob2";
  task.language = "german";
  task.gazetteers = {{"städte", "Köln\nBad Homburg\n"}};
  const TaskOptions again = task_from_text(to_text(task));
  EXPECT_EQ(to_text(again), to_text(task));
  EXPECT_EQ(again.columns.text(), "token=2,tag=last,pos=5");
  EXPECT_EQ(again.gazetteers[0].entries, task.gazetteers[0].entries);
  EXPECT_EQ(again.features, task.features);
}

TEST(Task, TheTextHoldsTheBuiltInFeatures) {
  const TaskOptions again = task_from_text(to_text({.task = "recap"}));
  EXPECT_EQ(again.features, builtin_features("recap"));
  EXPECT_TRUE(again.has_builtin_features());
}

TEST(Task, DamageIsNoticed) {
  EXPECT_THROW(task_from_text("{"), ModelFileError);
  EXPECT_THROW(task_from_text("{\"task\":\"pos\"}"), ModelFileError);
  std::string other = to_text(TaskOptions{});
  other.replace(other.find("\"pos\""), 5, "\"sop\"");
  EXPECT_THROW(task_from_text(other), ModelFileError);
}

TEST(Task, Names) {
  EXPECT_NO_THROW(check_task("mention-type"));
  try {
    check_task("mentions");
    FAIL() << "no such task";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("did you mean 'mention'?"));
  }
}

}  // namespace
}  // namespace megadapt
