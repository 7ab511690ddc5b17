#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "corpus/memory_source.hpp"
#include "corpus/readers.hpp"

namespace megadapt::corpus {

/// A Row that owns its strings.
struct OwnedRow {
  using Features = std::vector<std::pair<std::string, float>>;

  std::string label;
  Features features;
  bool has_values = false;
  double weight = 1;
  std::string domain = {}, id = {}, group = {};
  std::size_t line = 0;
  std::vector<std::pair<std::string, double>> shares = {};

  explicit OwnedRow(const Row& row)
      : label(row.label),
        has_values(row.has_values),
        weight(row.weight),
        domain(row.domain),
        id(row.id),
        group(row.group),
        line(row.line) {
    for (const NamedFeature& f : row.features) features.emplace_back(f.name, f.value);
    for (const NamedShare& one : row.shares) shares.emplace_back(one.label, one.share);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, value] : features) all.push_back(name);
    return all;
  }
};

inline std::unique_ptr<RowReader> reader_of(const std::string& text,
                                            const ReadOptions& options = {}) {
  return open_rows(std::make_unique<MemorySource>(text), "data", options);
}

inline std::vector<OwnedRow> drain(RowReader& reader) {
  std::vector<OwnedRow> rows;
  for (Row row; reader.next(row);) rows.emplace_back(row);
  return rows;
}

inline std::vector<OwnedRow> read_all(const std::string& text, const ReadOptions& options) {
  return drain(*reader_of(text, options));
}

inline std::vector<OwnedRow> read_all(const std::string& text, Format format) {
  return read_all(text, ReadOptions{.format = format});
}

/// Returns the message of the InputError that reading `text` throws; "" when there is none.
inline std::string error_of(const std::string& text, const ReadOptions& options) {
  try {
    read_all(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline std::string error_of(const std::string& text, Format format) {
  return error_of(text, ReadOptions{.format = format});
}

}  // namespace megadapt::corpus
