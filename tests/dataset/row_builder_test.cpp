#include <gmock/gmock.h>

#include "dataset/select_rows.hpp"
#include "megadapt/dataset.hpp"
#include "support/random_data.hpp"

namespace megadapt {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RowBuilder, RowsOfOnesHaveNoValues) {
  SparseRows rows;
  RowBuilder builder(rows);
  builder.add(3);
  builder.add(1, 1);
  builder.end();
  builder.end();
  EXPECT_THAT(rows.begin, ElementsAre(0, 2, 2));
  EXPECT_THAT(rows.feature, ElementsAre(3, 1));
  EXPECT_THAT(rows.value, IsEmpty());
}

TEST(RowBuilder, ValuesMayAppearLateAndThenExistForEveryRow) {
  SparseRows rows;
  RowBuilder builder(rows);
  builder.add(0);
  builder.end();
  builder.add(1);
  builder.ids().push_back(2);
  builder.add(3, 2.5f);
  builder.add(4);
  builder.end();
  builder.add(RowView{std::vector<std::uint32_t>{5, 6}, {}});
  builder.end();
  EXPECT_THAT(rows.value, ElementsAre(1, 1, 1, 2.5f, 1, 1, 1));
  EXPECT_THAT(rows[0].values, ElementsAre(1));
}

TEST(RowBuilder, PartsOfARowMayHaveValuesOrNone) {
  SparseRows rows;
  RowBuilder builder(rows);
  const std::vector<std::uint32_t> ids{1, 2};
  const std::vector<float> values{0.5f, -1};
  builder.add(RowView{ids, {}});
  builder.add(RowView{ids, values});
  builder.add(7);
  builder.end();
  EXPECT_THAT(rows.feature, ElementsAre(1, 2, 1, 2, 7));
  EXPECT_THAT(rows.value, ElementsAre(1, 1, 0.5f, -1, 1));
}

TEST(RowBuilder, AddsToAValueOfTheSameRow) {
  SparseRows rows;
  RowBuilder builder(rows);
  builder.add(1);
  builder.end();
  builder.add(2);
  builder.add(1);
  builder.add_to_value(1, 0.5f);
  builder.end();
  EXPECT_THAT(rows.value, ElementsAre(1, 1, 1.5f));
}

TEST(RowBuilder, GroupsMayAppearLate) {
  Dataset data;
  RowBuilder builder(data);
  builder.end({.label = 1});
  EXPECT_THAT(data.group, IsEmpty());
  builder.end({.label = 0, .domain = 2, .weight = 0.5f, .group = 3});
  builder.end({});
  EXPECT_THAT(data.group, ElementsAre(kNone, 3, kNone));
  EXPECT_THAT(data.label, ElementsAre(1, 0, kNone));
  EXPECT_THAT(data.domain, ElementsAre(0, 2, 0));
  EXPECT_THAT(data.weight, ElementsAre(1, 0.5f, 1));
}

TEST(SharedSchema, SelectedRowsShareItAndTheRecipe) {
  const Dataset data = testing_support::random_data({.rows = 20}, 1);
  const std::vector<std::size_t> rows{3, 4, 9};
  const Dataset chosen = select_rows(data, rows);
  EXPECT_EQ(chosen.schema, data.schema);
  EXPECT_EQ(chosen.recipe, data.recipe);
  EXPECT_EQ(chosen.group_names, data.group_names);
}

TEST(SharedSchema, AChangeLeavesTheOtherOwnersAsTheyWere) {
  Dataset data = testing_support::random_data({.rows = 5}, 1);
  const Schema* before = data.schema.get();
  data.own_schema().domains.add("alone: no copy is made");
  EXPECT_EQ(data.schema.get(), before);
  Dataset other = data;
  other.own_schema().labels.add("new");
  EXPECT_NE(other.schema, data.schema);
  EXPECT_EQ(other.num_labels(), data.num_labels() + 1);
  EXPECT_EQ(other.num_domains(), data.num_domains());
}

TEST(SharedSchema, ExtraLabelsFollowItsOwn) {
  Dataset data;
  data.own_schema().labels.add("a");
  EXPECT_EQ(data.add_extra_label("x"), 1u);
  EXPECT_EQ(data.add_extra_label("a"), 0u);
  EXPECT_EQ(data.add_extra_label("y"), 2u);
  EXPECT_EQ(data.add_extra_label("x"), 1u);
  EXPECT_THAT(data.label_names(), ElementsAre("a", "x", "y"));
  EXPECT_EQ(data.label_name(2), "y");
  EXPECT_EQ(data.num_labels(), 3u);
  EXPECT_EQ(data.labels().size(), 1u);
}

TEST(SharedSchema, ItsDigestCoversEveryField) {
  const Dataset data = testing_support::random_data({}, 1);
  const auto changed = [&](auto change) {
    Schema copy = *data.schema;
    change(copy);
    return copy.digest() != data.schema->digest();
  };
  EXPECT_FALSE(changed([](Schema&) {}));
  EXPECT_TRUE(changed([](Schema& schema) { schema.features.add("new"); }));
  EXPECT_TRUE(changed([](Schema& schema) { schema.labels.add("new"); }));
  EXPECT_TRUE(changed([](Schema& schema) { schema.domains.add("new"); }));
  EXPECT_TRUE(changed([](Schema& schema) { schema.binning.edges.push_back(1); }));
  EXPECT_TRUE(changed([](Schema& schema) { schema.scheme = TagScheme::iob2; }));
  EXPECT_TRUE(changed([](Schema& schema) { schema.tag_feature = {true}; }));
}

}  // namespace
}  // namespace megadapt
