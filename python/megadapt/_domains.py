"""Which rows belong to which domain, and which domain is the target."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d

from . import _core


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
    unique, inverse, place = _places(sample_domain, domains, X)
    unknown = [label for label in unique if label not in place]
    if unknown:
        known = ", ".join(map(str, domains.tolist()))
        raise ValueError(f"the model knows no domain '{unknown[0]}'\nfix: use one of: {known}")
    return np.array([place[label] for label in unique], dtype=np.uint32)[inverse]


def predicted_ids(sample_domain: Any, fitted: Any, X: Any) -> np.ndarray:
    """Returns the index in `fitted.domains_` of every row's domain.

    Rows of a domain that the model does not know are predicted as rows of the target, with a
    warning.
    """
    unique, inverse, place = _places(sample_domain, fitted.domains_, X)
    target = fitted._model.domain(str(fitted.target_domain_))
    unknown = np.array([label not in place for label in unique])[inverse]
    if unknown.any():
        first = unique[inverse[int(unknown.argmax())]]
        _core.warn_of_unknown_domains(fitted._model, rows=int(unknown.sum()), first=str(first),
                                      level=_level_of_user())
    return np.array([place.get(label, target) for label in unique], dtype=np.uint32)[inverse]


def predicted_names(sample_domain: Any, fitted: Any, X: Any) -> list[str]:
    """Returns the name of every row's domain, or nothing if all are from the target."""
    if sample_domain is None:
        return []
    return [str(fitted.domains_[i]) for i in predicted_ids(sample_domain, fitted, X)]


def _places(
    sample_domain: Any, domains: np.ndarray, X: Any
) -> tuple[list[Any], np.ndarray, dict[Any, int]]:
    """Returns the distinct domains of rows, each row's index in them, and the known domains."""
    unique, inverse = np.unique(domain_labels(sample_domain, X), return_inverse=True)
    return unique.tolist(), inverse, {domain: i for i, domain in enumerate(domains.tolist())}


def _level_of_user() -> int:
    """Returns how many frames above the caller of this function the user's code is."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    return level
