#include "dataset/reading/read_sentences.hpp"
#include "dataset/row_encoder.hpp"

namespace megadapt {
namespace {

Dataset read_rows_without_labels(const std::vector<std::string>& paths,
                                 const Dataset& train, std::uint32_t target,
                                 const ReadControl& control, UnlabelledNotes& notes) {
  Dataset data;
  data.schema = train.schema;
  data.recipe = train.recipe;
  const std::string domain(train.domains().name(target));
  ReadOptions reading = reading_for(*train.recipe, train.recipe->format, false);
  reading.labels_optional = true;
  reading.stop = control.stop;
  reading.digest = true;
  reading.domain = domain;
  RowEncoder encoder(train.features().view(), &train.binning(), &train.schema->scaling);
  RowBuilder rows(data);
  for (const std::string& path : paths) {
    const std::size_t before = data.num_examples();
    const auto reader = open_rows(path, reading);
    for (Row row; reader->next(row);) {
      notes.labelled += !row.label.empty();
      rows.add(encoder.encode(row));
      rows.end(
          {.label = kNone, .domain = target, .weight = static_cast<float>(row.weight)});
    }
    data.sources.push_back(
        {path, reader->sha256(), data.num_examples() - before, domain, true});
  }
  return data;
}

}  // namespace

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

Dataset read_unlabelled(const std::vector<std::string>& paths, const Dataset& train,
                        std::uint32_t target, const ReadControl& control,
                        UnlabelledNotes* notes, Communicator& ranks) {
  UnlabelledNotes scratch;
  UnlabelledNotes& found = notes ? *notes : scratch;
  const Recipe& recipe = *train.recipe;
  Dataset rows = recipe.task
                     ? read_untagged(paths, train, target, control, found)
                     : read_rows_without_labels(paths, train, target, control, found);
  if (rows.num_examples() == 0) {
    throw InputError({paths.front()}, "there are no unlabelled rows",
                     "give rows of the target, or leave out --unlabelled");
  }
  return ranks.size() == 1 ? std::move(rows) : keep_share(rows, ranks);
}

}  // namespace megadapt
