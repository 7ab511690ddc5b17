"""Cross-validation for a target domain."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import check_consistent_length
from sklearn.utils.multiclass import type_of_target

from ._domains import domain_labels, find_target


class TargetKFold:
    """Folds of the target's rows; every fold trains on all source rows.

    Pass the domains as `groups`: scikit-learn hands these on to the splitter.

    Parameters
    ----------
    n_splits : int, default 5
    target_domain : label, optional
        As in the classifiers.
    shuffle : bool, default True
    random_state : int, RandomState or None

    Examples
    --------
    >>> from megadapt import TargetKFold
    >>> cv = TargetKFold(2, target_domain="b", shuffle=False)
    >>> for train, test in cv.split([[0]] * 5, groups=["a", "b", "b", "a", "a"]):
    ...     print(train, test)
    [0 2 3 4] [1]
    [0 1 3 4] [2]

    With a classifier, the domains go to both:

    >>> from sklearn.model_selection import cross_val_score
    >>> from megadapt import MixClassifier
    >>> X, y, d = [[0], [1]] * 6, [0, 1] * 6, ["a", "a", "b", "b"] * 3
    >>> cross_val_score(MixClassifier("b"), X, y, groups=d, cv=TargetKFold(3, target_domain="b"),
    ...                 fit_params={"sample_domain": d})
    array([1., 1., 1.])
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        target_domain: Any = None,
        shuffle: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.target_domain = target_domain
        self.shuffle = shuffle
        self.random_state = random_state

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yields the rows to train on and the rows to test on. `groups` holds the domains."""
        if groups is None:
            raise ValueError("The 'groups' parameter should not be None: it holds the domains")
        domain = domain_labels(groups, X)
        target = find_target(np.unique(domain), self.target_domain)
        own = np.flatnonzero(domain == target)
        if len(own) < self.n_splits:
            raise ValueError(
                f"the target domain '{target}' has {len(own)} rows, too few for "
                f"{self.n_splits} folds"
            )
        is_train = np.ones(len(domain), dtype=bool)
        for _, test in self._folds(y, own):
            is_train[own[test]] = False
            yield np.flatnonzero(is_train), own[test]
            is_train[own[test]] = True

    def _folds(self, y: Any, own: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        seed = self.random_state if self.shuffle else None
        if y is not None:
            labels = np.asarray(y)[own]
            check_consistent_length(own, labels)
            if type_of_target(labels) in ("binary", "multiclass"):
                cv = StratifiedKFold(self.n_splits, shuffle=self.shuffle, random_state=seed)
                return cv.split(own, labels)
        return KFold(self.n_splits, shuffle=self.shuffle, random_state=seed).split(own)

    def get_n_splits(
        self, X: Any = None, y: Any = None, groups: Any = None
    ) -> int:
        return self.n_splits

    def __repr__(self) -> str:
        return (
            f"TargetKFold(n_splits={self.n_splits}, target_domain={self.target_domain!r}, "
            f"shuffle={self.shuffle}, random_state={self.random_state!r})"
        )
