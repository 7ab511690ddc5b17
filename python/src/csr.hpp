#pragma once

#include <pybind11/numpy.h>

#include "megadapt/dataset.hpp"

namespace megadapt::python {

/// A SciPy CSR matrix: three arrays that are not copied. `data` is None if every value is
/// 1.
struct Csr {
  pybind11::array indptr;
  pybind11::array indices;
  pybind11::object data;
  std::uint32_t num_features = 0;

  /// Reads the arrays in place, so they must outlive the result. Values are left out if all
  /// are 1. Unless `bias` is kNone, it is added to every row, as in BorrowedRows. Throws
  /// UsageError if an index is outside the matrix or a value is too large for a float.
  SparseRows rows(std::uint32_t bias) const;
};

}  // namespace megadapt::python
