"""Old models and new ones: adapt() continues a model, diff() compares two."""
from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator, Optional

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import DomainClassifier, is_text, label_types, seed_of, settings_of
from ._progress import ProgressBar, is_wanted
from .classifiers import BY_SYSTEM
from .files import load
from .text import TEXT, TextClassifier


def _classifier(model: Any) -> Any:
    """Returns a fitted classifier, which may be given as the path of its file."""
    if isinstance(model, (str, os.PathLike)):
        model = load(model)
    if not isinstance(model, (DomainClassifier, TextClassifier)):
        raise ValueError(f"{type(model).__name__} is not a classifier of megadapt or its file\n"
                         "fix: for taggers use the command line")
    check_is_fitted(model, "classes_")
    return model


def _features(model: Any, X: Any) -> Iterator[dict[str, Any]]:
    """Yields what each row is made of, by the names of the model's columns."""
    if is_text(X) != isinstance(model, TextClassifier):
        raise ValueError(f"X is {'text' if is_text(X) else 'a matrix'}, and the model reads "
                         f"{'text' if isinstance(model, TextClassifier) else 'a matrix'}\n"
                         "fix: give rows of the kind that the model was trained on")
    if is_text(X):
        yield from ({"text": str(text)} for text in X)
        return
    rows = X.tocsr() if sparse.issparse(X) else sparse.csr_matrix(np.asarray(X, dtype=float))
    names = model._model.columns
    if rows.shape[1] != len(names):
        raise ValueError(f"X has {rows.shape[1]} columns and the model has {len(names)}")
    for n in range(rows.shape[0]):
        own = slice(rows.indptr[n], rows.indptr[n + 1])
        yield {"features": {names[f]: float(v)
                            for f, v in zip(rows.indices[own], rows.data[own]) if v}}


@contextmanager
def _file_of(model: Any, X: Any, y: Any, groups: Any = None) -> Iterator[str]:
    """Writes rows as JSON Lines, which the models read as the command line does."""
    labels = column_or_1d(np.asarray(y))
    check_consistent_length(X, labels, groups)
    groups = None if groups is None else np.asarray(groups)  # a Series is indexed by its labels
    file = tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False, encoding="utf-8")
    try:
        with file:
            for n, row in enumerate(_features(model, X)):
                group = {} if groups is None else {"group": str(groups[n])}
                file.write(json.dumps({"label": str(labels[n]), **row, **group}) + "\n")
        yield file.name
    finally:
        os.unlink(file.name)


def adapt(
    model: Any,
    X: Any,
    y: Any,
    domain: Any,
    *,
    groups: Any = None,
    system: Optional[str] = None,
    options: Optional[dict[str, Any]] = None,
    n_jobs: Optional[int] = None,
    random_state: Any = None,
    verbose: Optional[int] = None,
) -> Any:
    """Adapts a model to rows of a domain without its old training data (docs/adapt.md).

    Parameters
    ----------
    model : classifier or path
        A fitted classifier, or a model file of Python or the command line.
    X, y : texts or rows, and their labels
        Rows of one domain. Rows have the columns of the model.
    domain : label
        The name of the domain, new or old.
    groups : optional
        Rows of one group are held out together.
    system : str, optional
        By default the one that predicts held-out rows best.
    options : dict, optional
        Options that are not tuned.

    Returns
    -------
    classifier
        The new model. Its `adaptation_` has "keep_old", whether the old model predicts held-out
        rows at least as well, and "scores" of the old model ("former") and of each system.

    Examples
    --------
    >>> from megadapt import TextClassifier, adapt
    >>> old = TextClassifier().fit(["great film", "awful film"] * 10, ["+", "-"] * 10)
    >>> new = adapt(old, ["great phone", "awful phone"] * 10, ["+", "-"] * 10, "phones")
    >>> new.predict(["a great phone"])
    array(['+'], dtype='<U1')
    """
    former = _classifier(model)
    classes = np.unique(np.concatenate([former.classes_.astype(str), np.asarray(y).astype(str)]))
    of_text = isinstance(former, TextClassifier)
    recorded = label_types(former.classes_ if len(classes) == len(former.classes_) else classes,
                           np.array([*map(str, former.domains_), str(domain)]),
                           hasattr(former, "feature_names_in_"))
    if of_text:
        recorded.append((TEXT, "yes"))
    with _file_of(former, X, y, groups) as path, ProgressBar() as bar:
        adapted, found = _core.adapt(
            former._model, path, domain=str(domain), system=system or "",
            settings=settings_of(options), recorded=recorded, seed=seed_of(random_state),
            threads=int(effective_n_jobs(n_jobs)), progress=bar if is_wanted(verbose) else None)
    estimator = TextClassifier() if of_text else BY_SYSTEM[adapted.system]()
    estimator._adopt(adapted)
    estimator.adaptation_ = found
    return estimator


def diff(old: Any, new: Any, X: Any, y: Any, *, random_state: Any = None) -> dict[str, Any]:
    """Compares what two models predict for the same labelled rows (docs/diff.md).

    Parameters
    ----------
    old, new : classifiers or paths
    X, y : texts or rows, and their labels

    Returns
    -------
    dict
        "rows"; "won" and "lost", how many rows only the new and only the old model has right;
        "p" of McNemar's test; "accuracy" and "log_loss" of both; "features" with the largest
        changes; "won_rows" and "lost_rows", whose "row" is the index in X.

    Examples
    --------
    >>> from megadapt import TextClassifier, diff
    >>> texts = ["great film", "awful film", "great phone", "awful phone"]
    >>> old = TextClassifier().fit(texts[:2] * 5, ["+", "-"] * 5)
    >>> new = TextClassifier().fit(texts * 5, ["-", "+", "+", "-"] * 5)
    >>> diff(old, old, texts, ["+", "-"] * 2)["lost"]
    0
    """
    before, after = _classifier(old), _classifier(new)
    with _file_of(before, X, y) as path:
        return _core.diff(before._model, after._model, path, seed=seed_of(random_state))
