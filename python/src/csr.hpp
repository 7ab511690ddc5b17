#pragma once

#include <pybind11/numpy.h>

#include "megadapt/dataset.hpp"

namespace megadapt::python {

/// A SciPy CSR matrix: three arrays that stay where they are. `data` is None when every
/// value is 1.
struct Csr {
  pybind11::array indptr;
  pybind11::array indices;
  pybind11::object data;
  std::uint32_t num_features = 0;

  /// Looks at the arrays in place, so they must outlive the result. Values that are all 1
  /// are left out; `bias` joins every row, as in BorrowedRows, unless it is kNone.
  /// UsageError where an index lies outside the matrix or a value is too large for a float.
  SparseRows rows(std::uint32_t bias) const;
};

}  // namespace megadapt::python
