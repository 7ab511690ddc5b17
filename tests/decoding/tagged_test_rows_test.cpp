#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "decoding/decoding.hpp"
#include "evaluation/scores/score_rows.hpp"
#include "megadapt/comparison.hpp"
#include "megadapt/systems.hpp"
#include "support/planted_sequences.hpp"

namespace megadapt {
namespace {

using testing_support::all_rows;
using testing_support::planted_sequences;

constexpr const char* kTrainText =
    "# doc = one\n\nthe\tB\ndog\tI\nbarks\tO\n\nhe\tB\nsees\tO\na\tB\ncat\tI\n\n"
    "# doc = two\n\nthe\tB\ncat\tI\nsleeps\tO\n\n";

class TaggedTestRows : public testing::Test {
 protected:
  TaggedTestRows() {
    std::string pattern = testing::TempDir() + "/megadapt-tagging-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~TaggedTestRows() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string folder_;
};

Recipe mention_task() { return {.task = TaskOptions{.task = "mention"}}; }

std::vector<std::uint32_t> sorted_features(const Dataset& data, std::size_t n) {
  const RowView row = data.rows[n];
  std::vector<std::uint32_t> features(row.features.begin(), row.features.end());
  std::sort(features.begin(), features.end());
  return features;
}

TEST_F(TaggedTestRows, TheTrainingFileReadForTestingIsTheSame) {
  const std::string path = write("train.conll", kTrainText);
  const Dataset train = read_dataset({{"all", path}}, mention_task());
  const Dataset test = read_test_rows(path, train, 0);
  ASSERT_EQ(test.num_examples(), train.num_examples());
  EXPECT_EQ(test.label, train.label);
  EXPECT_EQ(test.sentence_begin, train.sentence_begin);
  EXPECT_EQ(test.groups().names(), train.groups().names());
  for (std::size_t n = 0; n < test.num_examples(); ++n) {
    EXPECT_EQ(sorted_features(test, n), sorted_features(train, n)) << n;
  }
  const Execution exec(2);
  const auto predictor = find_system("mix").fit(train, 0, {}, {exec});
  const TagTransitions free(3);
  EXPECT_EQ(tag_rows(*predictor, test, all_rows(test), 0, free, exec),
            tag_rows(*predictor, train, all_rows(train), 0, free, exec));
}

TEST_F(TaggedTestRows, UnknownTagsAreErrorsAndGiveNoFeature) {
  const std::string path = write("train.conll", kTrainText);
  const Dataset train = read_dataset({{"all", path}}, mention_task());
  const std::string other = write("test.conll", "the\tX\ndog\tI\nbarks\tO\n\n");
  const Dataset test = read_test_rows(other, train, 0);
  EXPECT_EQ(test.num_labels(), 4);
  for (const std::uint32_t f : test.rows[1].features) {
    EXPECT_FALSE(test.is_tag_feature(f)) << test.features().name(f);
  }
  const Execution exec(2);
  const auto predictor = find_system("mix").fit(train, 0, {}, {exec});
  const Predictions predictions = predict_rows(*predictor, test, all_rows(test), 0, exec);
  const Evaluation result = evaluate_rows(test, all_rows(test), 3, predictions, 1);
  EXPECT_EQ(result.examples, 3);
  EXPECT_EQ(result.unseen_labels.at("X"), 1);
  EXPECT_LT(result.accuracy, 1);
}

TEST_F(TaggedTestRows, AnEmptyFileIsRefused) {
  const Dataset train =
      read_dataset({{"all", write("train.conll", kTrainText)}}, mention_task());
  EXPECT_THROW(read_test_rows(write("empty.conll", "\n"), train, 0), InputError);
}

TEST(ScoreRows, SequencesAreDecodedAndJudgedByTheSentence) {
  const Dataset data = planted_sequences(80, 20, 11);
  const Execution exec(2);
  const auto predictor = find_system("mix").fit(data, 1, {}, {exec});
  const auto rows = all_rows(data);
  const Predictions predictions = predict_rows(*predictor, data, rows, 1, exec);
  EXPECT_EQ(predictions.label,
            tag_rows(*predictor, data, rows, 1, TagTransitions(3), exec));
  const Evaluation result = evaluate_rows(data, rows, 3, predictions, 1);
  double hits = 0, loss = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    hits += predictions.label[n] == data.label[n];
    loss -= std::log(predictions.probability[3 * n + data.label[n]]);
  }
  EXPECT_DOUBLE_EQ(result.accuracy, hits / static_cast<double>(rows.size()));
  EXPECT_NEAR(result.log_loss, loss / static_cast<double>(rows.size()), 1e-9);
}

// The labels a, b, c do not mark spans; B, I, O do.
TEST(ScoreRows, SystemsThatTagSpansAreComparedByTheirF1) {
  Dataset train = planted_sequences(60, 30, 12);
  train.own_schema().labels = NameIndex();
  for (const char* tag : {"O", "B", "I"}) train.own_schema().labels.add(tag);
  Dataset test = planted_sequences(0, 40, 13);
  test.own_schema().labels = train.labels();
  const Execution exec(2);
  CompareOptions options;
  options.systems = {"onlyi", "onlyo"};
  options.tune = false;
  const Comparison comparison = compare(train, 1, &test, options, exec);
  ASSERT_EQ(comparison.pairs.size(), 1);
  ASSERT_TRUE(comparison.pairs[0].p_f1);
  EXPECT_GT(*comparison.pairs[0].p_f1, 0);
  EXPECT_LE(*comparison.pairs[0].p_f1, 1);
}

}  // namespace
}  // namespace megadapt
