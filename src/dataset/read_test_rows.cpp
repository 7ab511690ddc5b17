#include "dataset/read_sentences.hpp"
#include "dataset/row_encoder.hpp"

namespace megadapt {

Dataset read_test_rows(const std::string& path, const Dataset& train, std::uint32_t target,
                       const ReadControl& control) {
  const Recipe& recipe = *train.recipe;
  if (recipe.task) return read_tagged_test(path, train, target, control);
  Dataset test;
  test.schema = train.schema;
  test.recipe = train.recipe;
  LabelMap labels(recipe.label_map);
  ReadOptions reading = reading_for(recipe, recipe.format);
  reading.stop = control.stop;
  reading.columns_fixed = true;
  reading.domain = train.domains().name(target);
  if (!recipe.label_map.empty()) reading.label_map = &labels;
  RowEncoder encoder(train.features().view(), &train.binning(), &train.schema->scaling);
  RowBuilder rows(test);
  const auto reader = open_rows(path, reading);
  for (Row row; reader->next(row);) {
    rows.add(encoder.encode(row));
    if (control.texts_of) {
      test.text.emplace_back(row.text);
      test.origin.push_back({row.number, std::string(row.id)});
    }
    rows.end({.label = test.add_extra_label(row.label),
              .domain = target,
              .weight = static_cast<float>(row.weight),
              .group = row.group.empty() ? kNone : test.own_groups().add(row.group)});
  }
  if (test.num_examples() == 0) {
    throw InputError({path}, "there are no rows to test on", "give labelled rows");
  }
  test.sources.push_back({path, reader->sha256(), test.num_examples(),
                          std::string(train.domains().name(target))});
  return test;
}

}  // namespace megadapt
