#include "csr.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "megadapt/error.hpp"

namespace megadapt::python {
namespace {

namespace py = pybind11;

template <class T>
bool holds(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array);
}

template <class T>
std::span<const T> view(const py::array& array) {
  if (array.ndim() != 1 || (array.size() > 1 && array.strides(0) != sizeof(T))) {
    throw UsageError("an array of the sparse matrix is not contiguous",
                     "make a scipy.sparse.csr_matrix of it");
  }
  return {static_cast<const T*>(array.data()), static_cast<std::size_t>(array.size())};
}

using Indices = std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>>;

Indices indices(const py::array& array) {
  if (holds<std::int32_t>(array)) return view<std::int32_t>(array);
  if (holds<std::int64_t>(array)) return view<std::int64_t>(array);
  throw UsageError("the indices of the sparse matrix are not 32-bit or 64-bit integers",
                   "make a scipy.sparse.csr_matrix of it");
}

// Row bounds that ascend from 0 to the number of entries keep all later reads in range.
void check_bounds(const Indices& begin, std::size_t nonzeros) {
  const bool sound = std::visit(
      [nonzeros](auto bounds) {
        if (bounds.empty() || bounds[0] != 0) return false;
        for (std::size_t n = 1; n < bounds.size(); ++n) {
          if (bounds[n] < bounds[n - 1]) return false;
        }
        return static_cast<std::size_t>(bounds.back()) == nonzeros;
      },
      begin);
  if (!sound) {
    throw UsageError("the index pointer of the sparse matrix does not fit its entries",
                     "make a scipy.sparse.csr_matrix of it");
  }
}

void check_features(const Indices& feature, std::uint32_t num_features) {
  const bool sound = std::visit(
      [num_features](auto all) {
        bool inside = true;
        for (const auto f : all) inside &= f >= 0 && f < std::int64_t{num_features};
        return inside;
      },
      feature);
  if (!sound) {
    throw UsageError(
        fmt::format("a column index of the sparse matrix is not below {}", num_features),
        "make a scipy.sparse.csr_matrix of it");
  }
}

template <class T>
void set_values(BorrowedRows& rows, std::span<const T> values) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  bool all_one = true, all_fit = true;
  for (const T value : values) {
    all_one &= value == T{1};
    if constexpr (std::is_floating_point_v<T>) all_fit &= std::abs(value) <= kLargest;
  }
  if (!all_fit) {
    throw UsageError("a value of X is not finite or too large for a 32 bit float",
                     "scale the feature to values of ordinary size");
  }
  if (!all_one) rows.value = values;
}

void set_values(BorrowedRows& rows, const py::array& data) {
  if (holds<float>(data)) return set_values(rows, view<float>(data));
  if (holds<double>(data)) return set_values(rows, view<double>(data));
  if (holds<std::int32_t>(data)) return set_values(rows, view<std::int32_t>(data));
  if (holds<std::int64_t>(data)) return set_values(rows, view<std::int64_t>(data));
  throw UsageError("the values of X are of a type that cannot be read in place",
                   "use X.astype(numpy.float32)");
}

}  // namespace

SparseRows Csr::rows(std::uint32_t bias) const {
  BorrowedRows borrowed{
      .begin = megadapt::python::indices(indptr),
      .feature = megadapt::python::indices(indices),
      .value = {},
      .bias = bias,
  };
  check_bounds(borrowed.begin, static_cast<std::size_t>(indices.size()));
  check_features(borrowed.feature, num_features);
  if (!data.is_none()) {
    const auto values = data.cast<py::array>();
    if (values.size() != indices.size()) {
      throw UsageError("the sparse matrix has more indices than values, or fewer",
                       "make a scipy.sparse.csr_matrix of it");
    }
    set_values(borrowed, values);
  }
  SparseRows rows;
  rows.borrowed = borrowed;
  return rows;
}

}  // namespace megadapt::python
