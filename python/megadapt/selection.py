"""Which rows to label next."""
from __future__ import annotations

import json
import os
import tempfile
from typing import Any, Iterator, Optional

from joblib import effective_n_jobs

from . import _core
from .adaptation import _features, _fitted
from .tagging import Tagger


def _unlabelled(model: Any, X: Any) -> Iterator[dict[str, Any]]:
    """Yields rows, or sentences for a tagger, as objects of JSON Lines."""
    if not isinstance(model, Tagger):
        yield from _features(model, X)
        return
    for tokens in X:
        if isinstance(tokens, str):
            tokens = tokens.split()
        yield {"tokens": list(map(str, tokens))}


def next_rows(
    model: Any, X: Any, *, budget: int = 100, n_jobs: Optional[int] = None
) -> list[dict[str, Any]]:
    """Chooses the rows whose labels would teach a model most (docs/next.md).

    Parameters
    ----------
    model : classifier, tagger or path
        A fitted classifier or tagger, or the path of its file.
    X : matrix, list of str, or list of sentences
        Rows without labels, of the kind that the model predicts. Sentences of a tagger are
        lists of tokens, or strings with spaces between the tokens.
    budget : int
        The number of rows, or sentences, to label.
    n_jobs : int, optional
        The number of threads; None is 1, and -1 is one for each core.

    Returns
    -------
    list of dict
        The rows to label, the most instructive first: `row`, its index in X; `score`; `reasons`,
        a list of sentences; and `text`. Of rows that are nearly the same only one is listed.

    Examples
    --------
    >>> import megadapt
    >>> clf = megadapt.TextClassifier().fit(
    ...     ["good pan", "great knife", "bad lid", "broken pan"], ["+", "+", "-", "-"])
    >>> [row["row"] for row in megadapt.next_rows(clf, ["great", "good but broken"], budget=1)]
    [1]
    """
    model = _fitted(model)
    if budget < 1:
        raise ValueError(f"budget={budget} is too small\nfix: give 1 or more")
    if (X.shape[0] if hasattr(X, "shape") else len(X)) == 0:
        return []
    file = tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False, encoding="utf-8")
    try:
        with file:
            for row in _unlabelled(model, X):
                file.write(json.dumps(row) + "\n")
        threads = int(effective_n_jobs(n_jobs))
        return _core.next_of_file(model._model, file.name, budget=budget, threads=threads)
    finally:
        os.unlink(file.name)
