#pragma once

#include <memory>
#include <string>

#include "megadapt/corpus.hpp"

namespace megadapt::corpus {

/// Writes rows in one format. Throws InputError for what the format cannot hold; with
/// `lossy`, optional fields are left out instead.
class RowWriter {
 public:
  virtual ~RowWriter() = default;
  /// Appends the row's line to `out`; `place` is for messages.
  virtual void write(const Row& row, const Place& place, std::string& out) = 0;
};

/// `vocabulary` is for libsvm: if given, features are numbered from 1 in order of first
/// appearance and added to it; otherwise their names must be whole numbers from 1.
std::unique_ptr<RowWriter> make_row_writer(Format format, bool lossy,
                                           NameIndex* vocabulary);

}  // namespace megadapt::corpus
