#include <fmt/format.h>

#include "dataset/select_rows.hpp"
#include "dataset/task_files.hpp"

namespace megadapt {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Recipe small_task() {
  return {.task = TaskOptions{.task = "pos", .features = "w tag[-1] tag[-1]|w"}};
}

Recipe task_recipe(const std::string& task, const std::string& features = {}) {
  return {.task = TaskOptions{.task = task, .features = features}};
}

TEST_F(TaskFiles, RowsAreTokensWithTheGoldPreviousTag) {
  const Dataset data =
      read_dataset({{"d", file("a", "# doc = x\n\na\tX\nb\tY\n\na\tY\n\n")}}, small_task());
  ASSERT_EQ(data.num_examples(), 3u);
  EXPECT_THAT(names_of(data, 0), ElementsAre("", "w=a", "tag[-1]=<s>", "tag[-1]|w=<s>|a"));
  EXPECT_THAT(names_of(data, 1), ElementsAre("", "w=b", "tag[-1]=X", "tag[-1]|w=X|b"));
  EXPECT_THAT(names_of(data, 2), ElementsAre("", "w=a", "tag[-1]=<s>", "tag[-1]|w=<s>|a"));
  EXPECT_THAT(data.sentence_begin, ElementsAre(0, 2, 3));
  EXPECT_THAT(data.label, ElementsAre(0, 1, 1));
  EXPECT_THAT(data.groups().names(), ElementsAre("x"));
  for (std::uint32_t f = 0; f < data.num_features(); ++f) {
    EXPECT_EQ(data.is_tag_feature(f), data.features().name(f).starts_with("tag"));
  }
  EXPECT_EQ(data.recipe->task->columns.text(), "token=1,tag=2");
  EXPECT_EQ(data.recipe->task->format, SentenceFormat::conll);
}

TEST_F(TaskFiles, SlotsLeadFromAnyPreviousTagToItsFeature) {
  const Dataset data =
      read_dataset({{"d", file("a", "a\tX\nb\tY\n\nb\tY\n\n")}}, small_task());
  const TagSlots& slots = data.tag_slots;
  ASSERT_EQ(slots.templates, 2u);
  const auto feature = [&](std::size_t row, std::size_t k, std::size_t previous) {
    const std::uint32_t id =
        slots.feature[slots.slot[row * 2 + k] * (data.num_labels() + 1u) + previous];
    return id == kNone ? "none" : std::string(data.features().name(id));
  };
  EXPECT_EQ(feature(1, 0, 0), "tag[-1]=X");
  EXPECT_EQ(feature(1, 0, 1), "none");  // Y is never a previous tag
  EXPECT_EQ(feature(1, 0, 2), "tag[-1]=<s>");
  EXPECT_EQ(feature(1, 1, 0), "tag[-1]|w=X|b");
  EXPECT_EQ(feature(2, 1, 0), "tag[-1]|w=X|b");
  EXPECT_EQ(feature(2, 1, 2), "tag[-1]|w=<s>|b");
}

TEST_F(TaskFiles, RareFeaturesAreDropped) {
  Recipe recipe = small_task();
  recipe.min_count = 2;
  const Dataset data = read_dataset({{"d", file("a", "a\tX\nb\tY\n\na\tY\n\n")}}, recipe);
  EXPECT_THAT(data.features().names(),
              ElementsAre("", "w=a", "tag[-1]=<s>", "tag[-1]|w=<s>|a"));
  EXPECT_EQ(data.schema->tag_feature.size(), 4u);
}

TEST_F(TaskFiles, WithoutDocumentsFiftySentencesAreAGroup) {
  std::string text;
  for (int i = 0; i < 120; ++i) text += "a\tX\nb\tY\n\n";
  const Dataset data = read_dataset({{"d", file("a", text)}}, small_task());
  EXPECT_EQ(data.groups().size(), 3u);
  EXPECT_EQ(data.group[99], 0u);
  EXPECT_EQ(data.group[100], 1u);
}

TEST_F(TaskFiles, SelectedRowsKeepTheirSentences) {
  const Dataset data = read_dataset(
      {{"d", file("a", "a\tX\nb\tY\n\nc\tY\nd\tX\n\ne\tX\n\n")}}, small_task());
  const std::vector<std::size_t> rows = {0, 1, 4};
  const Dataset chosen = select_rows(data, rows);
  EXPECT_THAT(chosen.sentence_begin, ElementsAre(0, 2, 3));
  EXPECT_EQ(chosen.tag_slots.slot.size(), 6u);
  EXPECT_EQ(chosen.tag_slots.slot[5], data.tag_slots.slot[9]);
  EXPECT_EQ(chosen.schema, data.schema);
}

TEST_F(TaskFiles, BuiltInSetsLeaveOutAColumnThatADomainNeverKnows) {
  const auto out = file("out", "the\tDT\tB\ndog\tNN\tI\n\n");
  const auto in = file("in", "a\t_\tB\ncat\t_\tI\n\n");
  ReadNotes notes;
  const Dataset mixed =
      read_dataset({{"out", out}, {"in", in}}, task_recipe("mention"), {.notes = &notes});
  EXPECT_THAT(notes.left_out_columns, ElementsAre("pos"));
  EXPECT_THAT(mixed.features().names(), Not(Contains(HasSubstr("pos"))));
  const Dataset alone =
      read_dataset({{"out", out}}, task_recipe("mention"), {.notes = &notes});
  EXPECT_THAT(notes.left_out_columns, IsEmpty());
  EXPECT_THAT(alone.features().names(), Contains("pos=DT"));
  const Dataset asked =
      read_dataset({{"out", out}, {"in", in}}, task_recipe("mention", "w pos w|pos[1]"));
  EXPECT_THAT(asked.features().names(), Contains("pos=DT"));
}

TEST_F(TaskFiles, SpansAreSingleRows) {
  const auto line = [](const char* label) {
    return fmt::format(
        R"({{"doc":"d","tokens":["my","wife"],"start":0,"end":1,"label":"{}"}})"
        "\n",
        label);
  };
  const Dataset data = read_dataset({{"d", file("a", line("person") + line("place"))}},
                                    task_recipe("mention-type"));
  EXPECT_EQ(data.num_examples(), 2u);
  EXPECT_FALSE(data.is_sequences());
  EXPECT_TRUE(data.tag_slots.empty());
  EXPECT_THAT(names_of(data, 0), Contains("lower[head]=wife"));
  EXPECT_THAT(data.labels().names(), ElementsAre("person", "place"));
}

TEST_F(TaskFiles, ColumnsMustAgreeAndBadSentencesCanBeSkipped) {
  const auto two = file("two", "a\tX\n\n");
  const auto three = file("three", "a\tDT\tX\n\n");
  const auto bad = file("bad", "a\tX\n\nb\n\nc\tX\n");
  try {
    read_dataset({{"d", two}, {"e", three}}, small_task());
    FAIL() << "the columns differ";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has the columns [pos], the files before it []"));
  }
  EXPECT_THROW(read_dataset({{"d", two}, {"e", two}}, small_task()), UsageError);
  EXPECT_THROW(read_dataset({{"d", bad}}, small_task()), InputError);
  ReadNotes notes;
  const Dataset data =
      read_dataset({{"d", bad}}, small_task(), {.skip_bad = true, .notes = &notes});
  EXPECT_EQ(notes.skipped, 1u);
  EXPECT_EQ(data.num_examples(), 2u);
}

}  // namespace
}  // namespace megadapt
