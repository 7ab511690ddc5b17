#pragma once

#include <memory>
#include <string>

#include "container/sections.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt {

/// Writes what the ids in rows mean.
void add_schema(SectionWriter& out, const Schema& schema);
/// Throws ModelFileError if the sections contradict each other.
std::shared_ptr<const Schema> read_schema(const SectionReader& in);

/// Writes the rows of one rank and all that is known of each, in sections whose names begin
/// with `prefix`. Schema, recipe and unlabelled rows are not among them. `data` must have no
/// extra labels, and must outlive the writer.
void add_rows(SectionWriter& out, const std::string& prefix, const Dataset& data);
/// Throws ModelFileError unless all ids and positions are within `schema` and the rows, so
/// that the rows are safe to use whatever the file holds.
Dataset read_rows(const SectionReader& in, const std::string& prefix,
                  std::shared_ptr<const Schema> schema);

}  // namespace megadapt
