"""Which rows belong to which domain, and which domain is the target."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d


def domain_labels(sample_domain: Any, X: Any) -> np.ndarray:
    """Returns the domain of every row after checking it."""
    labels = column_or_1d(np.asarray(sample_domain))
    check_consistent_length(X, labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("sample_domain contains NaN or infinity")
    if labels.dtype.kind == "O":
        missing = [label for label in labels if label is None or label != label]
        if missing:
            raise ValueError("sample_domain contains None or NaN")
    return labels


def find_target(domains: np.ndarray, target_domain: Any) -> Any:
    """Returns the target domain.

    Without `target_domain` it is the only domain or, as in SKADA, the negative integer.
    """
    if target_domain is not None:
        known = [domain for domain in domains if domain == target_domain]
        return known[0] if known else target_domain
    if len(domains) == 1:
        return domains[0]
    if domains.dtype.kind == "i":
        negative = domains[domains < 0]
        if len(negative) == 1:
            return negative[0]
    names = " or ".join(f"target_domain={domain!r}" for domain in domains.tolist())
    raise ValueError(
        f"there are {len(domains)} domains and no target_domain\n"
        f"fix: say which one to predict: {names}"
    )


def domain_ids(sample_domain: Any, domains: np.ndarray, X: Any) -> np.ndarray:
    """Returns the index in `domains` of every row's domain."""
    labels = domain_labels(sample_domain, X)
    unique, inverse = np.unique(labels, return_inverse=True)
    place = {domain: i for i, domain in enumerate(domains.tolist())}
    unknown = [label for label in unique.tolist() if label not in place]
    if unknown:
        known = ", ".join(map(str, domains.tolist()))
        raise ValueError(f"the model knows no domain '{unknown[0]}'\nfix: use one of: {known}")
    return np.array([place[label] for label in unique.tolist()], dtype=np.uint32)[inverse]


def domain_names(sample_domain: Any, domains: np.ndarray, X: Any) -> list[str]:
    """Returns the name of every row's domain, or nothing if all are from the target."""
    if sample_domain is None:
        return []
    return [str(domains[i]) for i in domain_ids(sample_domain, domains, X)]
