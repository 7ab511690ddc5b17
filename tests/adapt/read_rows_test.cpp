#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus/temp_file.hpp"
#include "dataset/row_encoder.hpp"
#include "megadapt/adapt.hpp"

namespace megadapt {
namespace {

using corpus::TempFile;
using testing::ElementsAre;

Model trained_on(const std::string& text, const Recipe& recipe = {}) {
  const TempFile file(text);
  const Execution exec(1);
  return train_model(read_dataset({{"out", file.path()}}, recipe), "mix", "out", {}, {},
                     {exec});
}

TEST(ReadForContinuation, OldNamesComeFirstWithTheirIds) {
  const Model old = trained_on("b\tx y\na\ty z\n");
  const TempFile file("a\tw y\nc\tz\n");
  const Dataset data = read_for_adapting(old, {{"in", file.path()}});
  for (std::uint32_t f = 0; f < old.features.size(); ++f) {
    EXPECT_EQ(data.features().name(f), old.features.name(f));
  }
  EXPECT_EQ(data.features().name(old.features.size()), "w");
  EXPECT_THAT(data.labels().names(), ElementsAre("b", "a", "c"));
  EXPECT_THAT(data.domains().names(), ElementsAre("out", "in"));
  EXPECT_THAT(data.domain, ElementsAre(1, 1));
  EXPECT_THAT(data.label, ElementsAre(1, 2));
}

TEST(ReadForContinuation, AKnownDomainKeepsItsPlace) {
  const Model old = trained_on("b\tx\na\ty\n");
  const TempFile file("a\tx\n");
  const Dataset data = read_for_adapting(old, {{"out", file.path()}});
  EXPECT_THAT(data.domains().names(), ElementsAre("out"));
  EXPECT_THAT(data.domain, ElementsAre(0));
}

TEST(ReadForContinuation, ValuesGoToTheOldBins) {
  std::string rows;
  for (int i = 1; i <= 8; ++i) rows += fmt::format("{}\t3:{}\n", i % 2, i + 0.5);
  const Model old = trained_on(rows, {.format = Format::libsvm, .bins = 2});
  const TempFile file("1\t3:1.5\n0\t3:100 4:0.5\n");
  const Dataset data =
      read_for_adapting(old, {{"in", file.path()}}, {.format = Format::libsvm});
  RowEncoder encoder(old.features, &old.binning);
  const auto reader = open_rows(file.path(), {.format = Format::libsvm});
  for (Row row; reader->next(row);) {
    const RowView expected = encoder.encode(row);
    const std::size_t n = row.line - 1;
    for (const std::uint32_t f : expected.features) {
      EXPECT_THAT(data.rows[n].features, testing::Contains(f));
    }
  }
  EXPECT_EQ(data.features().size(), old.features.size() + 1);
  EXPECT_THAT(data.rows[1].values, testing::Contains(0.5f));
}

TEST(ReadForContinuation, WordsKeepTheirOldIdfAndNewOnesWeighOne) {
  const Model old = trained_on("label,text\nb,x y\na,x\n",
                               {.text = {.weights = TextWeights::tfidf}, .bias = false});
  const TempFile file("label,text\na,new y\n");
  const Dataset data = read_for_adapting(old, {{"in", file.path()}});
  const float of_y = old.scaling.scale.at(old.features.find("y"));
  EXPECT_GT(of_y, 1);
  EXPECT_THAT(data.rows.value, ElementsAre(1, of_y));
  EXPECT_EQ(data.schema->scaling.scale, old.scaling.scale);
}

TEST(ReadForContinuation, WithoutABiasThereIsNone) {
  const Model old = trained_on("b\tx\na\ty\n", {.bias = false});
  const TempFile file("a\tx\n");
  EXPECT_EQ(read_for_adapting(old, {{"in", file.path()}}).bias(), kNone);
}

TEST(ReadForContinuation, RefusesSeveralDomains) {
  const Model old = trained_on("b\tx\na\ty\n");
  const TempFile one("a\tx\n");
  const TempFile other("b\tx\n");
  EXPECT_THROW(read_for_adapting(old, {{"p", one.path()}, {"q", other.path()}}),
               UsageError);
}

TEST(ReadForContinuation, SentencesKeepTheOldTagsAndTheirFeatures) {
  Recipe recipe;
  recipe.task = TaskOptions{.task = "pos",
                            .format = SentenceFormat::conll,
                            .columns = ColumnChoice::parse("token,tag")};
  const Model old = trained_on("the\tDET\ndog\tNOUN\nbarks\tVERB\n\n", recipe);
  const TempFile file("uh\tINTJ\nthe\tDET\ncat\tNOUN\n\n");
  const Dataset data = read_for_adapting(old, {{"in", file.path()}});
  for (std::uint32_t f = 0; f < old.features.size(); ++f) {
    EXPECT_EQ(data.features().name(f), old.features.name(f));
  }
  EXPECT_THAT(data.labels().names(), ElementsAre("DET", "NOUN", "VERB", "INTJ"));
  ASSERT_TRUE(data.is_sequences());
  // No new token follows a verb, but the old model knows what follows one.
  const std::uint32_t after_verb = old.features.find("tag[-1]=NOUN");
  ASSERT_NE(after_verb, kNone);
  EXPECT_THAT(data.tag_slots.feature, testing::Contains(after_verb));
  EXPECT_EQ(data.schema->tag_feature.size(), data.num_features());
}

}  // namespace
}  // namespace megadapt
