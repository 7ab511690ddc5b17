"""EasyAdapt as a transformer, for use with any classifier."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from ._compat import validate_data
from ._domains import domain_ids, domain_labels, find_target


@dataclass(eq=False, repr=False)
class EasyAdaptTransformer(TransformerMixin, BaseEstimator):
    """Copies every feature: once for all domains and once for the row's domain (Daumé 2007).

    A linear model trained on the result learns shared weights and each domain's deviations.

    Parameters
    ----------
    target_domain : label, optional
        The domain of rows that are transformed without one, as in the classifiers.
    scale : float, default 1.0
        Factor of the domain-specific copies. Below 1, deviations are regularised more.

    Examples
    --------
    >>> from megadapt import EasyAdaptTransformer
    >>> EasyAdaptTransformer("b").fit_transform([[2.0], [3.0]], sample_domain=["a", "b"])
    array([[2., 2., 0.],
           [3., 0., 3.]])

    In a pipeline, domains are given to fit; prediction is for the target:

    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> pipe = make_pipeline(EasyAdaptTransformer("b"), LogisticRegression())
    >>> X, y, d = [[1, 0], [0, 1]] * 4, [0, 1, 1, 0] * 2, ["a", "a", "b", "b"] * 2
    >>> pipe.fit(X, y, easyadapttransformer__sample_domain=d).predict([[1, 0], [0, 1]])
    array([1, 0])
    """

    target_domain: Any = None
    scale: float = 1.0

    def fit(self, X: Any, y: Any = None, sample_domain: Any = None) -> EasyAdaptTransformer:
        """Finds the domains."""
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32])
        if sample_domain is None:
            name = "target" if self.target_domain is None else self.target_domain
            self.domains_ = np.array([name])
        else:
            self.domains_ = np.unique(domain_labels(sample_domain, X))
        self.target_domain_ = find_target(
            self.domains_, None if sample_domain is None else self.target_domain
        )
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_domain: Any = None) -> Any:
        return self.fit(X, y, sample_domain).transform(X, sample_domain)

    def transform(self, X: Any, sample_domain: Any = None) -> Any:
        """Returns shape (n_samples, n_features * (1 + domains)), sparse if X is."""
        check_is_fitted(self)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False
        )
        if sample_domain is None:
            sample_domain = np.repeat(self.target_domain_, X.shape[0])
        domain = domain_ids(sample_domain, self.domains_, X)
        own = [(domain == d).astype(X.dtype) * self.scale for d in range(len(self.domains_))]
        if sparse.issparse(X):
            copies = [sparse.diags(mask, dtype=X.dtype) @ X for mask in own]
            return sparse.hstack([X, *copies], format="csr")
        return np.hstack([X, *(X * mask[:, np.newaxis] for mask in own)]).astype(X.dtype)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Returns the names of X's columns, then again for each domain: "b:x0"."""
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features)
        own = [f"{domain}:{name}" for domain in self.domains_ for name in names]
        return np.array([*names, *own], dtype=object)
