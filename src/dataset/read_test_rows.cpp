#include "megadapt/dataset.hpp"

namespace megadapt {

Dataset read_test_rows(const std::string& path, const Dataset& train, std::uint32_t target,
                       const ReadOptions& options) {
  Dataset test;
  test.features = train.features;
  test.labels = train.labels;
  test.domains = train.domains;
  RowEncoder encoder(train.features.view(), &train.binning);
  const auto reader = open_rows(path, options);
  for (Row row; reader->next(row);) {
    const RowView encoded = encoder.encode(row);
    SparseRows& rows = test.rows;
    if (!encoded.values.empty() && rows.value.empty()) {
      rows.value.assign(rows.feature.size(), 1.0f);
    }
    rows.feature.insert(rows.feature.end(), encoded.features.begin(),
                        encoded.features.end());
    if (encoded.values.empty() && !rows.value.empty()) {
      rows.value.resize(rows.feature.size(), 1.0f);
    } else {
      rows.value.insert(rows.value.end(), encoded.values.begin(), encoded.values.end());
    }
    rows.begin.push_back(rows.feature.size());
    test.label.push_back(test.labels.add(row.label));
    test.domain.push_back(target);
    test.weight.push_back(static_cast<float>(row.weight));
    if (row.group.empty() && test.group.empty()) continue;
    test.group.resize(test.rows.size() - 1, kNone);
    test.group.push_back(row.group.empty() ? kNone : test.groups.add(row.group));
  }
  if (test.num_examples() == 0) {
    throw InputError({path}, "there are no rows to test on", "give labelled rows");
  }
  test.sources.push_back({path, reader->sha256(), test.num_examples(),
                          std::string(train.domains.name(target))});
  return test;
}

}  // namespace megadapt
