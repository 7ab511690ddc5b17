#include "dataset/reading/sequence_encoder.hpp"
#include "dataset/task_files.hpp"

namespace megadapt {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

// Encoding the training sentences again gives the rows and slots of the data set.
TEST_F(TaskFiles, EncodingAgreesWithTheDataSet) {
  const std::string path =
      file("a", "The\tDET\ndog\tNOUN\nran\tVERB\n\nIt\tPRON\nran\tVERB\n\n");
  const Dataset data = read_dataset({{"d", path}}, {.task = TaskOptions{.task = "pos"}});
  const TaskOptions& task = *data.recipe->task;
  SequenceEncoder encoder(task, data.features().view(), data.labels().names());
  const auto reader = open_sentences(path, reading_for(task, true));
  std::size_t row = 0;
  for (Sentence sentence; reader->next(sentence);) {
    encoder.encode(sentence);
    ASSERT_EQ(encoder.size(), sentence.size());
    for (std::size_t t = 0; t < encoder.size(); ++t, ++row) {
      std::vector<std::uint32_t> ids(encoder.context(t).begin(), encoder.context(t).end());
      const std::size_t previous = t == 0 ? data.num_labels() : data.label[row - 1];
      for (std::size_t k = 0; k < encoder.num_tag_templates(); ++k) {
        const auto after = encoder.tag_features(t, k);
        const std::uint32_t slot =
            data.tag_slots.slot[row * encoder.num_tag_templates() + k];
        ASSERT_EQ(after.empty(), slot == kNone);
        if (after.empty()) continue;
        ASSERT_EQ(after.size(), data.num_labels() + 1u);
        const auto expected = data.tag_slots.feature.begin() +
                              static_cast<std::ptrdiff_t>(slot * after.size());
        EXPECT_TRUE(std::equal(after.begin(), after.end(), expected));
        ids.push_back(after[previous]);
      }
      EXPECT_THAT(ids, ElementsAreArray(data.rows[row].features));
    }
  }
  EXPECT_EQ(row, data.num_examples());
  EXPECT_EQ(encoder.unseen(), 0u);
}

TEST_F(TaskFiles, UnknownWordsKeepTheirKnownFeatures) {
  const Dataset data =
      read_dataset({{"d", file("a", "walking\tV\n\n")}},
                   {.task = TaskOptions{.task = "pos", .features = "w suf3 tag[-1]|w"}});
  SequenceEncoder encoder(*data.recipe->task, data.features().view(), {"V"});
  Sentence sentence;
  sentence.tokens = sentence.forms = {"talking"};
  encoder.encode(sentence);
  EXPECT_THAT(std::vector(encoder.context(0).begin(), encoder.context(0).end()),
              testing::ElementsAre(data.bias(), data.features().find("suf3=ing")));
  EXPECT_EQ(encoder.unseen(), 1u);
  EXPECT_THAT(
      std::vector(encoder.tag_features(0, 0).begin(), encoder.tag_features(0, 0).end()),
      testing::ElementsAre(kNone, kNone));
}

TEST_F(TaskFiles, SpansAreEncodedAsInTraining) {
  const std::string path = file(
      "a", "{\"tokens\":[\"my\",\"wife\"],\"start\":0,\"end\":1,\"label\":\"person\"}\n");
  const Dataset data =
      read_dataset({{"d", path}}, {.task = TaskOptions{.task = "mention-type"}});
  const TaskOptions& task = *data.recipe->task;
  SequenceEncoder encoder(task, data.features().view(), data.labels().names());
  const auto reader = open_sentences(path, reading_for(task, false));
  Sentence sentence;
  ASSERT_TRUE(reader->next(sentence));
  encoder.encode(sentence);
  ASSERT_EQ(encoder.size(), 1u);
  EXPECT_THAT(std::vector(encoder.context(0).begin(), encoder.context(0).end()),
              ElementsAreArray(data.rows[0].features));
}

}  // namespace
}  // namespace megadapt
