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
from ._base import DOMAINS, DomainClassifier, is_text, label_types, seed_of, settings_of
from ._pages import ModelDiff
from ._progress import ProgressBar, is_wanted
from .classifiers import BY_SYSTEM
from .files import load
from .tagging import TAGGER, Tagger
from .text import TEXT, TextClassifier


def _fitted(model: Any) -> Any:
    """Returns a fitted classifier or tagger, which may be given as the path of its file."""
    if isinstance(model, (str, os.PathLike)):
        model = load(model)
    if not isinstance(model, (DomainClassifier, TextClassifier, Tagger)):
        raise ValueError(f"{type(model).__name__} is not a classifier or tagger of megadapt\n"
                         "fix: give a fitted one, or the path of a model file")
    check_is_fitted(model, "classes_")
    if isinstance(model, Tagger) and model.features is None:
        raise ValueError("the tagger reads features of tokens, not tokens\n"
                         "fix: train it with a template: Tagger(features=\"pos\")")
    return model


def _features(model: Any, X: Any) -> Iterator[dict[str, Any]]:
    """Yields the contents of each row, by the names of the model's columns."""
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


def _labelled(model: Any, X: Any, y: Any, groups: Any) -> Iterator[dict[str, Any]]:
    """Yields rows, or sentences for a tagger, as objects of JSON Lines."""
    groups = None if groups is None else np.asarray(groups)  # a Series is indexed by its labels
    if isinstance(model, Tagger):
        check_consistent_length(X, y, groups)
        for n, (tokens, tags) in enumerate(zip(X, y)):
            if isinstance(tokens, str):
                tokens = tokens.split()
            if len(tokens) != len(tags):
                raise ValueError(f"sentence {n} has {len(tokens)} tokens and {len(tags)} tags")
            document = {} if groups is None else {"doc": str(groups[n])}
            yield {"tokens": list(map(str, tokens)), "tags": list(map(str, tags)), **document}
        return
    labels = column_or_1d(np.asarray(y))
    check_consistent_length(X, labels, groups)
    for n, row in enumerate(_features(model, X)):
        group = {} if groups is None else {"group": str(groups[n])}
        yield {"label": str(labels[n]), **row, **group}


@contextmanager
def _file_of(model: Any, X: Any, y: Any, groups: Any = None) -> Iterator[str]:
    """Writes rows as JSON Lines, which the models read as the command line does."""
    file = tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False, encoding="utf-8")
    try:
        with file:
            for row in _labelled(model, X, y, groups):
                file.write(json.dumps(row) + "\n")
        yield file.name
    finally:
        os.unlink(file.name)


def _recorded(former: Any, y: Any, domain: Any) -> list[tuple[str, str]]:
    """Returns what the new model records so that load() can restore labels and columns."""
    domains = np.array([*map(str, former.domains_), str(domain)])
    if isinstance(former, Tagger):
        return [(TAGGER, "yes"), (DOMAINS, domains.dtype.str)]
    classes = np.unique(np.concatenate([former.classes_.astype(str), np.asarray(y).astype(str)]))
    types = label_types(former.classes_ if len(classes) == len(former.classes_) else classes,
                        domains, hasattr(former, "feature_names_in_"))
    return [*types, (TEXT, "yes")] if isinstance(former, TextClassifier) else types


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
    model : classifier, tagger or path
        A fitted classifier or tagger, or a model file of Python or the command line.
    X, y : texts or rows and their labels, or sentences and their tags
        All of one domain. Rows have the columns of the model.
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
    classifier or tagger
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
    former = _fitted(model)
    with _file_of(former, X, y, groups) as path, ProgressBar() as bar:
        adapted, found = _core.adapt(
            former._model, path, domain=str(domain), system=system or "",
            settings=settings_of(options), recorded=_recorded(former, y, domain), seed=seed_of(random_state),
            threads=int(effective_n_jobs(n_jobs)), progress=bar if is_wanted(verbose) else None)
    same = isinstance(former, (TextClassifier, Tagger))
    estimator = type(former)() if same else BY_SYSTEM[adapted.system]()
    estimator._adopt(adapted)
    estimator.adaptation_ = found
    return estimator


def diff(old: Any, new: Any, X: Any, y: Any, *, random_state: Any = None) -> dict[str, Any]:
    """Compares what two models predict for the same labelled rows (docs/diff.md).

    Parameters
    ----------
    old, new : classifiers, taggers or paths
    X, y : texts or rows and their labels, or sentences and their tags

    Returns
    -------
    dict
        "rows"; "won" and "lost", how many rows only the new and only the old model has right;
        "p" of McNemar's test; "accuracy" and "log_loss" of both; "features" with the largest
        changes; "won_rows" and "lost_rows", whose "row" is the index in X or, for taggers, that
        of the token among all tokens. Notebooks show it as tables.

    Examples
    --------
    >>> from megadapt import TextClassifier, diff
    >>> texts = ["great film", "awful film", "great phone", "awful phone"]
    >>> old = TextClassifier().fit(texts[:2] * 5, ["+", "-"] * 5)
    >>> new = TextClassifier().fit(texts * 5, ["-", "+", "+", "-"] * 5)
    >>> diff(old, old, texts, ["+", "-"] * 2)["lost"]
    0
    """
    before, after = _fitted(old), _fitted(new)
    with _file_of(before, X, y) as path:
        return ModelDiff(_core.diff(before._model, after._model, path,
                                    seed=seed_of(random_state)))
