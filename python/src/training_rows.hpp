#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "csr.hpp"
#include "megadapt/dataset.hpp"

namespace megadapt::python {

/// Labelled rows of several domains, as arrays of ids and the names of the ids.
struct TrainingRows {
  using Ids = pybind11::array_t<std::uint32_t,
                                pybind11::array::c_style | pybind11::array::forcecast>;
  using Floats =
      pybind11::array_t<float, pybind11::array::c_style | pybind11::array::forcecast>;

  TrainingRows(Csr rows, bool with_bias, Ids label_ids,
               std::vector<std::string> label_names, Ids domain_ids,
               std::vector<std::string> domain_names, Floats weights,
               pybind11::object groups, std::vector<std::string> column_names)
      : x(std::move(rows)),
        bias(with_bias),
        label(std::move(label_ids)),
        labels(std::move(label_names)),
        domain(std::move(domain_ids)),
        domains(std::move(domain_names)),
        weight(std::move(weights)),
        group(std::move(groups)),
        names(std::move(column_names)) {}

  /// Rows that were read from a file.
  explicit TrainingRows(Dataset rows)
      : domains(rows.domains().names()),
        read(std::make_shared<const Dataset>(std::move(rows))) {}

  /// Returns the rows without copying them: the arrays must outlive the result. Rows of a
  /// file are copied.
  Dataset dataset() const;
  /// Rows of the target without labels, over the same columns.
  void set_unlabelled(Csr more) { unlabelled = std::move(more); }
  /// Returns the id of the target; throws UsageError if there is no such domain.
  std::uint32_t find_domain(const std::string& target) const;

  Csr x;
  bool bias = true;
  Ids label;  // [N]
  std::vector<std::string> labels;
  Ids domain;  // [N]
  std::vector<std::string> domains;
  Floats weight;                        // [N]
  pybind11::object group;               // Ids [N], or None
  std::vector<std::string> names;       // names of the columns; if empty, x0, x1, ...
  std::optional<Csr> unlabelled;        // rows of the target without labels
  std::shared_ptr<const Dataset> read;  // rows of a file, in place of all these
};

template <class T>
std::vector<T> to_vector(
    const pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>& a) {
  return {a.data(), a.data() + a.size()};
}

}  // namespace megadapt::python
