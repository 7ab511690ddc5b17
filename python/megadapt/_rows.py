"""Conversion of matrices for the compiled part, which reads the arrays of a CSR in place."""
from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np
from scipy import sparse
from sklearn.utils import check_consistent_length

from . import _core

_READ_IN_PLACE = (np.float32, np.float64, np.int32, np.int64)


def as_rows(X: Any) -> _core.Csr:
    """Converts a validated matrix (CSR or dense) to rows.

    A CSR with indices of 32 or 64 bits is not copied if no entry occurs twice and its values
    are numbers of 32 or 64 bits. A dense array becomes a CSR first.
    """
    if not sparse.issparse(X):
        X = sparse.csr_matrix(X)
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    data = X.data
    if data.dtype.type not in _READ_IN_PLACE:
        data = data.astype(np.float32)
    return _core.Csr(X.indptr, X.indices, data, X.shape[1])


def check_same_width(first: Any, second: Any) -> None:
    if first.shape[1] != second.shape[1]:
        raise ValueError(
            f"the source has {first.shape[1]} features and the target has {second.shape[1]}"
        )


def group_ids(groups: Any, X: Any) -> Optional[np.ndarray]:
    if groups is None:
        return None
    check_consistent_length(X, groups)
    return np.unique(np.asarray(groups), return_inverse=True)[1]


def training_rows(
    X: Any,
    bias: bool,
    label: tuple[np.ndarray, Any],
    domain: tuple[np.ndarray, Any],
    weight: np.ndarray,
    group: Optional[np.ndarray] = None,
    names: Sequence[str] = (),
) -> _core.TrainingRows:
    """Returns rows with labels and domains, each given as ids and the names of the ids."""
    return _core.TrainingRows(
        x=as_rows(X),
        bias=bool(bias),
        label=label[0],
        labels=[str(c) for c in np.asarray(label[1]).tolist()],
        domain=domain[0],
        domains=[str(d) for d in np.asarray(domain[1]).tolist()],
        weight=weight,
        group=group,
        names=list(names),
    )
